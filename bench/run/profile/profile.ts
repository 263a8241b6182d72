/**
 * `node bench/profile.ts [workload]`: where the gateway's microseconds go. Runs one workload with V8's profiler on in
 * every thread, and prints the functions that took most of the time while the load was on; the start isn't counted.
 */
import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { LoadReport } from '../load/job.ts'
import { LoadProcess } from '../load/load-process.ts'
import { chooseCores } from '../machine/cores.ts'
import { readProcessTree } from '../machine/process-tree.ts'
import { learnExpectation } from '../measure/stage.ts'
import { sumProfile, type CpuProfile, type Stretch } from './cpu-profile.ts'
import { writeThread } from './print-profile.ts'
import { writeThreadTimes } from './print-threads.ts'
import { readThreads, threadTimeBetween, type ThreadTime } from './thread-time.ts'
import { startUpstream } from '../subjects/fake-upstream.ts'
import { startGateway, translatingSide } from '../subjects/gateway.ts'
import { jobOf, type Workload } from '../workload.ts'
import { WORKLOADS } from '../workloads/all.ts'

const USAGE = `node bench/profile.ts [${Object.keys(WORKLOADS).join(' | ')}] [options]
  --passed         of a translated workload: the half that passes through
  --seconds <n>    how long the load is measured (8)
  --warm-up <n>    seconds of load before (4)
  --top <n>        lines of the longest table (30)
  --interval <n>   microseconds between two samples (200)
  --keep <folder>  copy the .cpuprofile files there, to open them in Chromium's DevTools
  --entry <file>   the file of another gateway to profile, in place of src/main.ts`

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const directory = await mkdtemp(join(tmpdir(), 'tollgate-profile-'))
// Also when we are interrupted, which leaves no time to wait.
process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
try {
  await profile(readProfileOptions())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

interface ProfileOptions {
  readonly workload: Workload
  readonly isTranslated: boolean
  readonly measureMs: number
  readonly warmUpMs: number
  readonly top: number
  readonly intervalUs: number
  readonly keep: string | null
  readonly entry: string
}

function readProfileOptions(): ProfileOptions {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '8' },
      'warm-up': { type: 'string', default: '4' },
      top: { type: 'string', default: '30' },
      interval: { type: 'string', default: '200' },
      keep: { type: 'string' },
      entry: { type: 'string', default: join(ROOT, 'src/main.ts') },
      passed: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const workload = Object.values(WORKLOADS).find(({ name }) => name === (positionals[0] ?? 'plain'))
  const numbers = [values.seconds, values['warm-up'], values.top, values.interval].map(Number)
  const [seconds = 0, warmUp = 0, top = 0, intervalUs = 0] = numbers
  if (workload === undefined || values.help || !numbers.every((one) => one > 0 && one <= 10_000)) throw new Error(USAGE)
  const keep = values.keep === undefined ? null : resolve(values.keep)
  const entry = resolve(values.entry)
  const isTranslated = workload.translatedModel !== null && !values.passed
  return { workload, isTranslated, measureMs: seconds * 1000, warmUpMs: warmUp * 1000, top, intervalUs, keep, entry }
}

async function profile(options: ProfileOptions): Promise<void> {
  const profiles = join(directory, 'profiles')
  await mkdir(profiles)
  const { report, stretch, threads } = await runUnderProfiler(options, profiles)
  if (report.errors > 0) throw new Error(`${report.errors} answers were wrong; the first: ${report.firstError}`)
  if (options.keep !== null) await cp(profiles, options.keep, { recursive: true })
  const { workload } = options
  const units = workload.stream ? report.events : report.requests
  const unit = workload.stream ? 'chunk' : 'request'
  console.log(`${workload.name}: ${workload.title}`)
  console.log(
    `${report.requests} requests and ${report.events} chunks, profiler on; all times in µs of CPU per ${unit}\n`,
  )
  console.log(`${writeThreadTimes(threads, units)}\n`)
  for (const one of await readProfiles(profiles, { stretch, threads })) {
    console.log(`${writeThread(one, { units, root: ROOT, isOwn, top: options.top })}\n`)
  }
}

interface Run {
  readonly report: LoadReport
  readonly stretch: Stretch
  readonly threads: readonly (ThreadTime & { readonly pid: number })[]
}

async function runUnderProfiler(options: ProfileOptions, profiles: string): Promise<Run> {
  const { workload, intervalUs } = options
  const cores = await chooseCores('one')
  await using parts = new AsyncDisposableStack()
  const upstream = parts.adopt(await startUpstream({ core: cores.load, directory }), (one) => one.stop())
  const flags = `--cpu-prof --cpu-prof-dir=${profiles} --cpu-prof-interval=${intervalUs}`
  const gateway = await startGateway({
    core: cores.subject,
    directory,
    entry: options.entry,
    upstreamPort: upstream.port,
    env: { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} ${flags}`.trim() },
  })
  // The profiles are written when it ends, which must be before they are read.
  parts.adopt(gateway, (one) => one.stop())
  const load = parts.adopt(new LoadProcess(cores.load), (one) => one.stop())
  const subject = options.isTranslated ? translatingSide(gateway) : gateway
  const expect = await learnExpectation(subject, workload)
  const target = subject.target(workload)
  await load.run(jobOf(workload, target, { durationMs: options.warmUpMs, expect }))
  const pids = (await readProcessTree(gateway.pid)).map(({ pid }) => pid)
  const before = await Promise.all(pids.map(readThreads))
  const fromUs = nowUs()
  const report = await load.run(jobOf(workload, target, { durationMs: options.measureMs, expect }))
  const toUs = nowUs()
  const threads = await Promise.all(
    pids.map(async (pid, i) => {
      const used = threadTimeBetween(before[i] ?? [], await readThreads(pid))
      return used.map((thread) => ({ ...thread, pid }))
    }),
  )
  return { report, stretch: { fromUs, toUs }, threads: threads.flat() }
}

/** The clock that the samples are stamped with. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/** One for each thread that ran JavaScript during the stretch; the main thread first. */
async function readProfiles(folder: string, { stretch, threads }: Pick<Run, 'stretch' | 'threads'>) {
  const names = (await readdir(folder)).sort()
  const found = []
  for (const name of names) {
    // CPU.<date>.<time>.<process>.<thread>.<sequence>.cpuprofile; thread 0 is the main one, workers count from 1.
    const [pid = -1, thread = -1] = name.split('.').slice(3, 5).map(Number)
    const ofKind = threads.filter((one) => one.pid === pid && one.kind === (thread === 0 ? 'main' : 'worker'))
    const used = ofKind[Math.max(0, thread - 1)]
    const times = sumProfile(JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile, stretch, isOwn)
    const label = thread === 0 ? 'main thread' : `worker ${thread}`
    if (used !== undefined && times.busyUs > 0) found.push({ label, times, cpuUs: used.cpuMs * 1000 })
  }
  return found.sort((a, b) => b.cpuUs - a.cpuUs)
}

/** Everything that isn't part of Node or of a package. */
function isOwn(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/')
}
