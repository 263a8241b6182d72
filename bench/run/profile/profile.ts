/**
 * `npm run bench -- run --profile`: where the gateway's microseconds go. Runs one workload with V8's profiler on in
 * every thread, and prints the functions that took most of the time while the load was on; the start isn't counted.
 */
import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../../tools/sub-commands.ts'
import { inFolder, readFlags } from '../../command.ts'
import type { LoadReport } from '../load/job.ts'
import { LoadProcess } from '../load/load-process.ts'
import { chooseCores } from '../machine/cores.ts'
import { readProcessTree } from '../machine/process-tree.ts'
import { learnExpectation } from '../measure/stage.ts'
import { sumProfile, type CpuProfile, type Stretch } from './cpu-profile.ts'
import { writeThread } from './print-profile.ts'
import { type ThreadTime, readThreads, threadTimeBetween, writeThreadTimes } from './thread-time.ts'
import { startUpstream } from '../subjects/fake-upstream.ts'
import { startGateway, translatingSide } from '../subjects/gateway.ts'
import { jobOf, type Workload } from '../workload.ts'
import { WORKLOADS } from '../workloads.ts'

const USAGE = `npm run bench -- run --profile [options]
  --only <name>    one of ${Object.keys(WORKLOADS).join(', ')} (plain)
  --passed         of a translated workload: the half that passes through
  --seconds <n>    how long the load is measured (8)
  --warm-up <n>    seconds of load before (4)
  --top <n>        lines of the longest table (30)
  --interval <n>   microseconds between two samples (200)
  --keep <folder>  copy the .cpuprofile files there, to open them in Chromium's DevTools
  --entry <file>   the file of another gateway to profile, in place of src/main.ts`

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export async function profile(argv: readonly string[]): Promise<true> {
  const options = readProfileOptions(argv)
  await inFolder('profile', (directory) => profileIn(directory, options))
  return true
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

function readProfileOptions(argv: readonly string[]): ProfileOptions {
  const flags = readFlags(argv, {
    only: 'plain',
    seconds: 8,
    'warm-up': 4,
    top: 30,
    interval: 200,
    keep: null,
    entry: join(ROOT, 'src/main.ts'),
    passed: false,
    help: false,
  })
  const workload = Object.values(WORKLOADS).find(({ name }) => name === flags.only)
  if (workload === undefined || flags.help) throw new UsageError(USAGE)
  return {
    workload,
    isTranslated: workload.translatedModel !== null && !flags.passed,
    measureMs: flags.seconds * 1000,
    warmUpMs: flags['warm-up'] * 1000,
    top: flags.top,
    intervalUs: flags.interval,
    keep: flags.keep === null ? null : resolve(flags.keep),
    entry: resolve(flags.entry),
  }
}

async function profileIn(directory: string, options: ProfileOptions): Promise<void> {
  const profiles = join(directory, 'profiles')
  await mkdir(profiles)
  const { report, stretch, threads } = await runUnderProfiler(options, { directory, profiles })
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

async function runUnderProfiler(
  options: ProfileOptions,
  { directory, profiles }: { readonly directory: string; readonly profiles: string },
): Promise<Run> {
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
