/**
 * Runs a command with the Node that this project pins, whichever Node and npm the system has: some versions of npm don't
 * link the binary of an optional dependency. Without the pinned Node a recent one of the system's takes its place; with an
 * old one nothing is run and a message says what is missing. Plain JavaScript, for Node 20.
 *
 *   node tools/pinned-node.js vitest run
 */
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { whenNpmIsGone } from '../bin/npm-end.js'
import { isRecentNode, OLDEST_MAJOR, pinnedNode, pinnedPackage } from '../bin/pinned-node.js'

const [command, ...args] = process.argv.slice(2)
if (command === undefined) throw new Error('name the command to run')
const pinned = pinnedNode()
if (pinned === null) console.error(withoutPinned())
if (pinned === null && !isRecentNode()) process.exitCode = 1
else run()

function run() {
  const own = pinned === null ? [] : [dirname(pinned)]
  const path = [...own, join(import.meta.dirname, '..', 'node_modules', '.bin'), process.env.PATH]
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, PATH: path.join(delimiter) } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  whenNpmIsGone(() => child.kill('SIGTERM'))
  child.once('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`)
    process.exitCode = 127
  })
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
}

function withoutPinned() {
  const missing =
    pinnedPackage === null
      ? `No Node.js is pinned for ${process.platform}-${process.arch}`
      : `The pinned Node.js (npm package ${pinnedPackage}) is not installed, or does not run here`
  if (isRecentNode()) return `${missing}: running with Node.js ${process.versions.node} of the system.`
  return (
    `${missing}, and the system's Node.js ${process.versions.node} is too old (${OLDEST_MAJOR} or newer is needed). ` +
    `Run "npm ci" without leaving optional dependencies out, or install a newer Node.js.`
  )
}
