import { availableParallelism } from 'node:os'
import { resolve as absolutePath } from 'node:path'
import type { Logger } from '../../core/log.ts'
import type { DeclarativeFile } from '../declarative/declarative-file.ts'
import { overlookedData, ConfigurationError, readEnvironment, type Settings } from '../installation/environment.ts'
import { isInFile } from '../installation/newest-url.ts'
import { prepareFirstStart } from '../installation/first-start.ts'
import { openInstallation, type OpenInstallation } from '../opening/open-installation.ts'
import { reachable } from '../server/gateway-origin.ts'
import { releaseMemory, tuneCollector } from '../server/collector.ts'
import { unsafeSqlite } from '../../store/unsafe-sqlite.ts'
import { lackingConnections, threadCount, tooFewCores } from '../workers/thread-count.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import type { CommandRun } from './command.ts'
import type { CliHost } from './cli-host.ts'
import { opening } from './opening.ts'
import { hangUps, StopRequest } from './stop-request.ts'
import { isSealed, type Sealer } from '../../core/secret-box.ts'
import type { CatalogStore } from '../../routing/catalog.ts'

/** Starts everything in this process, and ends when a signal has drained it. */
export const start: CommandRun = async (_call, host) => {
  tuneCollector()
  const settings = readEnvironment(host.environment)
  const hasLoginFiles = isInFile('databaseUrl', host.environment) || isInFile('redisUrl', host.environment)
  const reloads = settings.configPath === null && !hasLoginFiles ? null : hangUps(host)
  const file = await declarativeFile(settings, host)
  const { createLogger } = await import('../../core/log.ts')
  const log = createLogger(settings.logLevel)
  const installation = await openedBy(host, settings, log)
  // While the database is being opened a signal ends the process at once. From here on it is heard, and ends what has begun.
  const stop = new StopRequest(host, { hangUpStops: reloads === null })
  let code: number
  try {
    code = await run(host, { settings, file, installation, log, stop, reloads })
  } finally {
    await installation.store.close()
  }
  // Where nothing is left over the process has ended by then.
  setTimeout(() => host.exit(code), LEFT_OVER_MS).unref()
  return code
}

/** A stopped process waits no longer for what has not ended by itself, such as a mail to a server that is silent. */
const LEFT_OVER_MS = 1_000

async function openedBy(host: CliHost, settings: Settings, log: Logger): Promise<OpenInstallation> {
  const onTrouble = (error: Error) => log.warn({ err: error }, 'lost a connection to the database')
  using options = opening(host, { log: (line) => log.info(line), endsBySignal: true })
  return await openInstallation(settings, { ...options, onTrouble })
}

/** Reads the declarative file; where there is none, its reader, schemas and YAML are not loaded. */
async function declarativeFile({ configPath }: Settings, host: CliHost): Promise<DeclarativeFile | null> {
  if (configPath === null) return null
  const { readDeclarativeFile } = await import('../declarative/declarative-file.ts')
  return readDeclarativeFile(configPath, host.environment)
}

/** The first request that waited for the start comes before the start's garbage is collected. */
const QUIET_AFTER_MS = 500

interface PreparedStart {
  readonly settings: Settings
  readonly file: DeclarativeFile | null
  readonly installation: OpenInstallation
  readonly log: Logger
  readonly stop: StopRequest
  /** Each SIGHUP; null: there is no file that it could be about. */
  readonly reloads: ReturnType<typeof hangUps> | null
}

async function run(
  host: CliHost,
  { settings, file, installation, log, stop, reloads }: PreparedStart,
): Promise<number> {
  const { store, hashSecret, hashLink, sealer, controlHashes, deviceTokens } = installation
  const unsafe = store.engine === 'sqlite' ? unsafeSqlite(process.versions['sqlite'] ?? '') : null
  if (unsafe !== null) log.warn(unsafe)
  const dataDirectory = store.engine === 'sqlite' ? absolutePath(settings.dataDir) : null
  if (dataDirectory !== null) warnOfOverlooked(settings.dataDir, log)
  const context = { installation, log, nowMs: () => host.nowMs() }
  if (file !== null) await (await import('./apply-again.ts')).applyAndLog(file, context)
  if (stop.isAsked) {
    log.info('stopped')
    return 0
  }
  const firstStart = await prepareFirstStart({
    store,
    hashSecret,
    hashLink,
    wantsDemo: settings.wantsDemo,
    hasDeclaration:
      file !== null && Object.values(file.declaration).some((entries) => Array.isArray(entries) && entries.length > 0),
    randomBytes: (count) => host.randomBytes(count),
    nowMs: host.nowMs(),
    thisProcess: { host: host.machine, id: host.processId },
    dataDirectory,
  })
  await sealHeaders(store.catalog, sealer)
  const { startGateway } = await import('../server/start-gateway.ts')
  const workers = await workersOf({ settings, installation, log })
  const { environment } = host
  const parts = { settings, environment, store, sealer, hashSecret, controlHashes, deviceTokens, log, stop, ...workers }
  const gateway = await startGateway(parts).catch((error: unknown) => {
    throw listenRefusal(error, settings) ?? error
  })
  const { configPath } = settings
  if (configPath === null) reloads?.answerWith(() => log.info('reading logins in files for each new connection'))
  else {
    const { applyAgain } = await import('./apply-again.ts')
    reloads?.answerWith(applyAgain(configPath, { ...context, environment: host.environment }))
  }
  const origin = settings.publicUrl ?? reachable(gateway.origin)
  if (!stop.isAsked) {
    log.info(
      { origin: gateway.origin, engine: store.engine, ...(dataDirectory === null ? {} : { dataDirectory }) },
      'ready',
    )
  }
  await firstStart?.announce(origin, (text) => host.print(text))
  setTimeout(releaseMemory, QUIET_AFTER_MS).unref()
  const hasFailed = await endOf(stop.asked, { workers: workers?.workers, log })
  const { drainMs } = settings
  const shutdownDelayMs = stop.isByHand ? 0 : settings.shutdownDelayMs
  log.info({ shutdownDelayMs, drainMs }, 'draining')
  await gateway.drain(shutdownDelayMs)
  log.info('stopped')
  return hasFailed ? 1 : 0
}

function warnOfOverlooked(dataDir: string, log: Logger): void {
  const overlooked = overlookedData(dataDir)
  if (overlooked === null) return
  log.warn(`found unused data of Tollgate in ${overlooked}: TOLLGATE_DATA_DIR=${overlooked} uses them`)
}

/** Resolves when the process is to end; returns whether that is because its threads cannot be kept running. */
async function endOf(
  stopped: Promise<void>,
  { workers, log }: { workers: WorkerPool | undefined; log: Logger },
): Promise<boolean> {
  if (workers === undefined) return stopped.then(() => false)
  const failed = workers.failed.catch((error: unknown) => {
    log.error({ err: error }, 'ending this process')
    return true
  })
  return Promise.race([stopped.then(() => false), failed])
}

/** How many threads carry requests, this one included. */
function threadsOf(settings: Settings, log: Logger): number {
  const cores = availableParallelism()
  const { threads, lackedBecause } = threadCount(settings.workers, {
    cores,
    canSharePort: process.platform === 'linux',
  })
  if (lackedBecause !== null) log.warn(`TOLLGATE_WORKERS is ${settings.workers}, and 1 is used: ${lackedBecause}`)
  const tooFew = tooFewCores(settings.workers, cores)
  if (tooFew !== null) log.warn(tooFew)
  return threads
}

/** The threads beside this one that `TOLLGATE_WORKERS` asks for; null: none. */
async function workersOf({ settings, installation, log }: Pick<PreparedStart, 'settings' | 'installation' | 'log'>) {
  const threads = threadsOf(settings, log)
  const granted = installation.store.connectionLimit
  const lacking = lackingConnections({ granted, ofThread: settings.databaseConnections, threads })
  if (lacking !== null) log.warn(lacking)
  if (threads === 1) return null
  const { startWorkers } = await import('../workers/worker-pool.ts')
  return startWorkers({ settings, installation, log, threads })
}

/** What keeps Node from listening is a wrong HOST or PORT in nearly every case. */
function listenRefusal(error: unknown, { host, port }: Settings): ConfigurationError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(
      `PORT is ${port}, but another program listens there: end that one, or set PORT to a free port.`,
    )
  }
  if (code === 'EACCES') {
    return new ConfigurationError(`PORT is ${port}, but this user may not listen there: set PORT to 1024 or more.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new ConfigurationError(
      `HOST is ${JSON.stringify(host)}, but this machine has no such address: set HOST to one it has, or to 0.0.0.0 for all.`,
    )
  }
  return null
}

/** Seals the values of headers that a version before this one stored in clear. Nothing is left to do the next time. */
export async function sealHeaders(
  catalog: Pick<CatalogStore, 'upstreams' | 'putUpstream'>,
  { seal }: Pick<Sealer, 'seal'>,
): Promise<void> {
  for (const upstream of await catalog.upstreams()) {
    const values = Object.entries(upstream.headers)
    if (values.every(([, value]) => isSealed(value))) continue
    const headers = values.map(([name, value]) => [name, isSealed(value) ? value : seal(value)] as const)
    await catalog.putUpstream({ ...upstream, headers: Object.fromEntries(headers) })
  }
}
