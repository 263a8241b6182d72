import { inFolder, readFlags, wholeNumber } from './command.ts'
import { quantile } from './numbers.ts'
import { writeTable } from './table.ts'
import { soak, type SoakEvidence } from './soak/soak.ts'
import { POINT_NAMES } from './soak/stream-menu.ts'
import { judge } from './soak/verdict.ts'

const MOST_OPEN = 5_000
/** Each of two threads collects its garbage half as often: its memory goes up for minutes before it comes down. */
const SECONDS = { oneThread: 180, moreThreads: 480 }

/**
 * `npm run bench -- soak`: opens and leaves 500 streams a second for three minutes, or for eight where there are more threads,
 * and looks whether a slot, a hold, a socket or a megabyte is left behind. `--rate`, `--seconds`, `--warm-up`, `--workers` and
 * `--seed` take other numbers.
 */
export async function soakGateway(argv: readonly string[]): Promise<boolean> {
  const flags = readFlags(argv, {
    rate: 500,
    seconds: null,
    'warm-up': 180,
    workers: 1,
    seed: Math.ceil(Math.random() * 1_000_000_000),
  })
  const usualSeconds = flags.workers === 1 ? SECONDS.oneThread : SECONDS.moreThreads
  console.log(`--seed ${flags.seed} asks the same again`)
  const evidence = await inFolder('soak', (directory) =>
    soak({
      streamsPerSecond: flags.rate,
      seconds: flags.seconds === null ? usualSeconds : wholeNumber('seconds', flags.seconds),
      mostOpen: MOST_OPEN,
      warmUpSeconds: flags['warm-up'],
      seed: flags.seed,
      workers: flags.workers,
      watchesMemory: true,
      directory,
      say: (line) => console.log(line),
    }),
  )
  console.log(`\n${writeLoad(evidence)}\n`)
  const checks = judge(evidence)
  const rows = checks.map(({ name, found, allowed, isMet }) => [name, found, allowed, isMet ? '' : 'MISSED'])
  console.log(writeTable(['after the soak', 'found', 'allowed', ''], rows))
  const firstFailure = evidence.warmUp.firstFailure ?? evidence.load.firstFailure
  if (firstFailure !== null) console.log(`\nfirst failure: ${firstFailure}`)
  return checks.every(({ isMet }) => isMet)
}

/** What was really opened and left, and where. */
function writeLoad({ load, before, after, mostResidentMb, givenBackInMs }: SoakEvidence): string {
  const { opened, left, leftAt, skipped, mostOpen, openedPerSecond } = load
  const seconds = Math.max(openedPerSecond.length, 1)
  const [least, median, most] = [0, 0.5, 1].map((part) => quantile(openedPerSecond, part))
  const lines = [
    `${opened} streams opened and ${left} left in ${seconds} s: ${(opened / seconds).toFixed(1)} and ${(left / seconds).toFixed(1)} a second`,
    `opened in a second: least ${least}, median ${median}, most ${most}`,
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
