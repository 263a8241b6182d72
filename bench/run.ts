/**
 * `npm run bench`: what the gateway costs beside nginx on the same work, and whether that is as little as promised.
 * And what it costs it to translate, beside what it costs it to pass the same through. The subject has one core to itself;
 * the load and the fake upstream share another.
 */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOrInstall } from '../test/support/installed-tool.ts'
import { judge } from './bars.ts'
import { LoadProcess } from './load/load-process.ts'
import { chooseCores } from './machine/cores.ts'
import { describeMachine } from './machine/describe.ts'
import { readProcessTree, residentMb } from './machine/process-tree.ts'
import { checkBooks } from './measure/books.ts'
import { interleave, type Series } from './measure/interleave.ts'
import { measureStartUp } from './measure/start-up.ts'
import { readOptions, type BenchOptions } from './options.ts'
import { writeBars, writeBooks, writeMachine, writeSeries } from './report/print.ts'
import { saveResults } from './report/save.ts'
import { startUpstream } from './subjects/fake-upstream.ts'
import { startGateway, translatingSide } from './subjects/gateway.ts'
import { startNginx } from './subjects/nginx.ts'
import { WORKLOADS } from './workload.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** A gateway that has just started still collects its garbage. */
const IDLE_MS = 2_000

const directory = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
// Also when we are interrupted, which leaves no time to wait.
process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
try {
  process.exitCode = (await bench(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Whether every bar was met and the books agree. */
async function bench(argv: readonly string[]): Promise<boolean> {
  const options = readOptions(argv)
  const nginxPath = await findOrInstall('nginx')
  const machine = await describeMachine(nginxPath)
  console.log(`${writeMachine(machine)}\n`)
  const readyMs = await timeStarts(options)
  const { series, idleMb, books } = await measure(nginxPath, options)
  const bars = judge(series, { readyMs, idleMb: options.starts > 0 ? [idleMb] : [] })
  console.log(`${writeBooks(books)}\n\n${writeBars(bars)}`)
  if (options.saveAs !== null) {
    const name = await saveResults({ machine, bars, books, series }, { what: options.saveAs, now: new Date() })
    console.log(`\nsaved as bench/results/${name}`)
  }
  return books.agree && bars.every((bar) => bar.met)
}

async function timeStarts({ starts, entry }: BenchOptions): Promise<number[]> {
  const command = entry === null ? ['npm', 'start'] : [process.execPath, resolve(entry), 'start']
  const times: number[] = []
  for (let i = 0; i < starts; i++) {
    times.push(await measureStartUp(command, { directory: join(directory, `start-${i}`), cwd: ROOT }))
  }
  return times
}

async function measure(nginxPath: string, options: BenchOptions) {
  const cores = await chooseCores()
  const onSubjectCore = { core: cores.subject, directory }
  const entry = resolve(options.entry ?? join(ROOT, 'bin/tollgate.js'))
  await using parts = new AsyncDisposableStack()
  const upstream = parts.adopt(await startUpstream({ core: cores.load, directory }), (one) => one.stop())
  const nginx = parts.adopt(await startNginx(nginxPath, upstream.port, onSubjectCore), (one) => one.stop())
  const gateway = parts.adopt(await startGateway({ ...onSubjectCore, entry, upstreamPort: upstream.port }), (one) =>
    one.stop(),
  )
  const load = parts.adopt(new LoadProcess(cores.load), (one) => one.stop())
  await new Promise((wake) => setTimeout(wake, IDLE_MS))
  const idleMb = residentMb(await readProcessTree(gateway.pid))
  const stage = { cores, upstream, load }
  const subjects = { direct: upstream, nginx, gateway, translating: translatingSide(gateway) }
  const series: Series[] = []
  for (const name of options.workloads) {
    const workload = WORKLOADS[name]
    const compared = workload.subjects.map((subject) => subjects[subject])
    const one = await interleave(stage, compared, { workload, plan: options.plan })
    console.log(`${writeSeries(one)}\n`)
    series.push(one)
  }
  return { series, idleMb, books: await checkBooks(gateway, upstream, countRequests(series)) }
}

function countRequests(series: readonly Series[]): { gateway: number; all: number } {
  const gateway = series.reduce((sum, { requests }) => sum + requests.gateway + requests.translating, 0)
  const others = series.reduce((sum, { requests }) => sum + requests.direct + requests.nginx, 0)
  return { gateway, all: gateway + others }
}
