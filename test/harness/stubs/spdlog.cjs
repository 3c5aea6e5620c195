// Stands in for the native module @vscode/spdlog, so that nothing has to be compiled: log files, which also feed the
// Output panel. The same functions, appending synchronously.

const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  constructor(file) {
    this.file = file;
    this.level = LEVELS.indexOf('info');
    this.raw = false;
  }
  write(level, text) {
    if (level < this.level) return;
    const line = this.raw ? text : `${new Date().toISOString()} [${LEVELS[level]}] ${text}\n`;
    try {
      fs.appendFileSync(this.file, line);
    } catch {
      // A log that cannot be written must not end the server.
    }
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.raw = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}
for (const [level, name] of LEVELS.entries()) {
  Logger.prototype[name] = function (text) {
    this.write(level, text);
  };
}

async function createLogger(_name, file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger(file);
}

exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.version = 0;
