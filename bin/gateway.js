#!/usr/bin/env -S node --disable-proto=delete
// `gateway start` runs the gateway; every other command is the command line's.
await import(process.argv[2] === 'start' ? '../dist/main.js' : '../dist/cli/main.js');
