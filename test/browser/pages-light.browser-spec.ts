import { describePages } from './support/pages.js';

describePages('light');
