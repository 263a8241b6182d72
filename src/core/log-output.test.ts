import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const LINES = 2_000
/** Logs so many lines once its input ends, as many again a moment later, and ends at once. */
const PROGRAM = `
  import { createLogger } from '${new URL('log.ts', import.meta.url).href}'
  const log = createLogger('info')
  const logAll = () => {
    for (let line = 0; line < ${LINES}; line++) log.info({ line }, 'a line of some length, as lines of a log are')
  }
  process.stdin.resume().on('end', () => {
    if (process.argv[1] === 'twice') logAll()
    setTimeout(() => {
      logAll()
      process.exit(7)
    }, 50)
  })
`

function start(stdout: 'pipe' | number, times: 'once' | 'twice') {
  const stdio = ['pipe', stdout, 'inherit'] as const
  return spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, times], { stdio: [...stdio] })
}

test('a process that ends writes the lines that it has logged, in their order', async () => {
  const child = start('pipe', 'twice')
  child.stdin?.end()
  const [logged, [code]] = await Promise.all([text(child.stdout ?? expect.unreachable()), once(child, 'exit')])
  const lines = logged.trimEnd().split('\n')
  const each = Array.from({ length: LINES }, (_, line) => line)
  expect(lines.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual([...each, ...each])
  expect(code).toBe(7)
})

test.for(['once', 'twice'] as const)(
  'a process whose log has lost its reader ends all the same (logs %s)',
  async (times) => {
    const child = start('pipe', times)
    child.stdout?.destroy()
    child.stdin?.end()
    expect(await once(child, 'exit')).toEqual([7, null])
  },
)

test.for(['once', 'twice'] as const)('a log on a full disk ends no process (logs %s)', async (times) => {
  const full = openSync('/dev/full', 'w')
  const child = start(full, times)
  closeSync(full)
  child.stdin?.end()
  expect(await once(child, 'exit')).toEqual([7, null])
})
