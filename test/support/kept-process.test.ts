import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepDirectory, keepProcess, newDirectory } from './kept-process.ts'

/** Each kept server in these tests connects here and stays connected, so that its end is an event. */
const life = createServer()
let lifePort = 0

beforeAll(async () => {
  life.listen(0, '127.0.0.1')
  await once(life, 'listening')
  lifePort = (life.address() as AddressInfo).port
})

afterAll(() => void life.close())

/** What the server runs: it says that it is up once it is connected. */
function serverProgram(): string {
  return `require('node:net').connect(${lifePort}, '127.0.0.1', () => console.log('up'))`
}

/** A program that keeps a server and a directory, tells where they are, and then does nothing until it is ended. */
function askingProgram(directory: string): string {
  const order = {
    directory,
    steps: [{ command: process.execPath, args: ['-e', serverProgram()] }],
    stopSignal: 'SIGTERM',
  }
  return `
    const { keepProcess, keepDirectory } = await import(${JSON.stringify(new URL('./kept-process.ts', import.meta.url))})
    await keepProcess(${JSON.stringify(order)}, { ready: /up/, readyTimeoutMs: 20000 })
    console.log((await keepDirectory()).path)
    process.stdin.once('data', () => process.exit(3)).resume()`
}

test.each(['SIGKILL', 'SIGINT', 'SIGTERM', 'exit'] as const)(
  'a server and its directory are gone after the process that asked for them ended by %s',
  async (ending) => {
    const directory = await newDirectory('server')
    const connected = once(life, 'connection')
    const asking = spawn(process.execPath, ['--input-type=module', '-e', askingProgram(directory)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [socket]: Socket[] = await connected
    const serverEnded = once(socket?.resume() ?? life, 'close')
    const [line]: Buffer[] = await once(asking.stdout, 'data')
    const bareDirectory = String(line).trim()
    expect([existsSync(directory), existsSync(bareDirectory)]).toEqual([true, true])

    if (ending === 'exit') asking.stdin.write('end')
    else asking.kill(ending)

    await serverEnded
    await expect.poll(() => existsSync(directory) || existsSync(bareDirectory)).toBe(false)
  },
)

test('stop ends a server and removes its directory, and may be called twice', async () => {
  const directory = await newDirectory('server')
  const connected = once(life, 'connection')
  const kept = await keepProcess(
    { directory, steps: [{ command: process.execPath, args: ['-e', serverProgram()] }], stopSignal: 'SIGTERM' },
    { ready: /up/, readyTimeoutMs: 20_000 },
  )
  const [socket]: Socket[] = await connected
  const serverEnded = once(socket?.resume() ?? life, 'close')
  await Promise.all([kept.stop(), kept.stop()])
  await serverEnded
  expect(existsSync(directory)).toBe(false)
})

test('a kept directory lasts until it is stopped', async () => {
  const kept = await keepDirectory()
  expect(existsSync(kept.path)).toBe(true)
  await kept.stop()
  expect(existsSync(kept.path)).toBe(false)
})

test.each([
  ['a step before it fails', 'echo no room; exit 7', 'no room'],
  ['it never says that it is ready', 'echo thinking; exec sleep 60', 'thinking'],
])('a server is refused, with its last output, when %s', async (_, script, output) => {
  const directory = await newDirectory('server')
  const order = {
    directory,
    steps: [
      { command: '/bin/sh', args: ['-c', script] },
      { command: '/bin/sh', args: ['-c', 'echo up'] },
    ],
    stopSignal: 'SIGTERM',
  } as const
  await expect(keepProcess(order, { ready: /up/, readyTimeoutMs: 3_000 })).rejects.toThrow(output)
  expect(existsSync(directory)).toBe(false)
})
