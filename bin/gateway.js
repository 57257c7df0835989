#!/usr/bin/env node
// `gateway start` runs the gateway; every other command is the command line's.
await import(process.argv[2] === 'start' ? '../dist/main.js' : '../dist/cli/main.js');
