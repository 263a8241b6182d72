#!/usr/bin/env node
// Finds the Node.js that this package pins and hands over to it, so that it does not matter which one the system has.
// Runs on Node.js 20 too: plain JavaScript, and nothing that is newer.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freshBundle } from './bundle.js'
import { forgetMemorySettings, memorySettings, wantsMemorySettings } from './memory.js'
import { whenNpmIsGone } from './npm-end.js'
import { isRecentNode, OLDEST_MAJOR, pinnedNode } from './pinned-node.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Lets the process behind the launcher know that a launcher started it. */
const LAUNCHED = '_TOLLGATE_LAUNCHED'

/** Commands for people who use a gateway: another program, without dependencies, which any of these Node.js versions runs. */
const OF_CLIENT = ['login', 'token', 'use', 'unuse', 'status', 'run', 'logout']

const pinned = pinnedNode()
if (OF_CLIENT.includes(process.argv[2])) await runClient()
else if (pinned === null ? isRecentNode() : isThisNode(pinned)) await run()
else if (pinned !== null) handOver(pinned)
else refuse()

function isThisNode(binary) {
  return realpathSync(binary) === realpathSync(process.execPath)
}

/** Replaces this process where Node.js can do that; else stays before the other as thin as possible. */
function handOver(binary) {
  const memory = process.argv[2] === 'start' ? memorySettings(process) : { args: [], env: process.env }
  const args = [...memory.args, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  if (process.execve !== undefined && process.platform !== 'win32') {
    process.execve(binary, [binary, ...args], memory.env)
  }
  const env = { ...memory.env, [LAUNCHED]: '1' }
  const child = spawn(binary, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  whenNpmIsGone(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    process.stderr.write(
      `The Node.js of this package cannot be started (${error.message}): install it again with "npm ci".\n`,
    )
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    for (const each of signals) process.removeAllListeners(each)
    if (signal === null) process.exitCode = code ?? 1
    else process.kill(process.pid, signal)
  })
}

/** What `npx -y https://GATEWAY/client.tgz` runs too. It takes its own place from the arguments. */
async function runClient() {
  const program = fileURLToPath(new URL('../dist/client/tollgate.cjs', import.meta.url))
  if (!existsSync(program)) {
    process.stderr.write('This checkout has no command line for people yet: make it with "npm run build -- client".\n')
    process.exitCode = 1
    return
  }
  process.argv[1] = program
  await import(pathToFileURL(program).href)
}

function refuse() {
  process.stderr.write(
    `Tollgate needs Node.js ${OLDEST_MAJOR} or newer and this is ${process.versions.node}: install a newer one, or install the package again without leaving optional dependencies out.\n`,
  )
  process.exitCode = 1
}

async function run() {
  if (wantsMemorySettings(process)) return beginAgain()
  forgetMemorySettings(process.env)
  if (process.env[LAUNCHED] === undefined) whenNpmIsGone(() => process.kill(process.pid, 'SIGTERM'))
  else followLauncher()
  const cache = cacheDirectory()
  if (cache !== null && module.enableCompileCache !== undefined) {
    module.enableCompileCache(cache)
    // Threads read it here. Without it each of them loads the compiler again: 18 MB and 100 ms.
    process.env.NODE_COMPILE_CACHE ??= cache
  }
  await import(mainFile())
}

/** Replaces this process by the same program, with what has to stand before it begins. */
function beginAgain() {
  const { args, env } = memorySettings(process)
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...args, ...process.argv.slice(1)], env)
}

/** A checkout has the sources, and a bundle of them that may be there; the packed package has what was compiled from them. */
function mainFile() {
  const source = new URL('../src/main.ts', import.meta.url)
  if (!existsSync(source)) return new URL('../dist/main.js', import.meta.url).href
  return freshBundle(ROOT) ?? source.href
}

/** A launcher that was killed could not pass that on, and killing it was meant for the gateway. */
function followLauncher() {
  delete process.env[LAUNCHED]
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel?.unref()
}

/** Compiled code is kept beside the code itself: write access there is access to both. null: not ours. */
function cacheDirectory() {
  if (process.getuid !== undefined && statSync(ROOT).uid !== process.getuid()) return null
  return join(ROOT, 'node_modules', '.cache', 'tollgate')
}
