/**
 * `npm run bench -- soak`: opens and leaves 500 streams a second for three minutes, or for eight where there are more threads,
 * and looks whether a slot, a hold, a socket or a megabyte is left behind. Ends with 1 when it is.
 */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeTable } from './report/table.ts'
import { soak, type SoakEvidence } from './soak/soak.ts'
import { POINT_NAMES } from './soak/stream-menu.ts'
import { judge } from './soak/verdict.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string' },
    'warm-up': { type: 'string', default: '180' },
    workers: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Math.ceil(Math.random() * 1_000_000_000)) },
  },
})

const MOST_OPEN = 5_000
/** Each of two threads collects its garbage half as often: its memory goes up for minutes before it comes down. */
const SECONDS = { oneThread: '180', moreThreads: '480' }

const directory = await mkdtemp(join(tmpdir(), 'tollgate-soak-'))
// Also when we are interrupted, which leaves no time to wait.
process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

console.log(`--seed ${values.seed} asks the same again`)
const evidence = await soak({
  streamsPerSecond: wholeNumber('rate', values.rate),
  seconds: wholeNumber('seconds', values.seconds ?? (values.workers === '1' ? SECONDS.oneThread : SECONDS.moreThreads)),
  mostOpen: MOST_OPEN,
  warmUpSeconds: wholeNumber('warm-up', values['warm-up']),
  seed: wholeNumber('seed', values.seed),
  workers: wholeNumber('workers', values.workers),
  watchesMemory: true,
  directory,
  say: (line) => console.log(line),
})
console.log(`\n${writeLoad(evidence)}\n`)
const checks = judge(evidence)
const rows = checks.map(({ name, found, allowed, isMet }) => [name, found, allowed, isMet ? '' : 'MISSED'])
console.log(writeTable(['after the soak', 'found', 'allowed', ''], rows))
const firstFailure = evidence.warmUp.firstFailure ?? evidence.load.firstFailure
if (firstFailure !== null) console.log(`\nfirst failure: ${firstFailure}`)
if (!checks.every(({ isMet }) => isMet)) process.exitCode = 1

/** What was really opened and left, and where. */
function writeLoad({ load, before, after, mostResidentMb, givenBackInMs }: SoakEvidence): string {
  const { opened, left, leftAt, skipped, mostOpen, openedPerSecond } = load
  const sorted = openedPerSecond.toSorted((a, b) => a - b)
  const seconds = Math.max(sorted.length, 1)
  const lines = [
    `${opened} streams opened and ${left} left in ${seconds} s: ${(opened / seconds).toFixed(1)} and ${(left / seconds).toFixed(1)} a second`,
    `opened in a second: least ${sorted[0]}, median ${sorted[Math.floor(seconds / 2)]}, most ${sorted.at(-1)}`,
    `open at a time: ${mostOpen} at most; ${skipped} not opened because there were too many`,
    `memory: ${megabytes(before.residentMb)} at rest before, ${megabytes(mostResidentMb)} at most, ${megabytes(after.residentMb)} at rest after`,
    givenBackInMs === null
      ? 'not everything was given back'
      : `given back within ${(givenBackInMs / 1_000).toFixed(0)} s`,
    ...POINT_NAMES.map((name) => `left ${name}: ${leftAt[name]}`),
  ]
  return lines.join('\n')
}

function megabytes(amount: number): string {
  return `${amount.toFixed(0)} MB`
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new Error(`--${name} takes a whole number`)
  return Number(text)
}
