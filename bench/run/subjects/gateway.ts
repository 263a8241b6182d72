/** Tollgate itself, as `npm start` starts it: an empty data directory, a declarative file, everything switched on. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../test/support/kept-process.ts'
import { gatewayModels, UPSTREAM_PATHS } from '../gateway-models.ts'
import { UPSTREAM_CREDENTIAL } from './fake-upstream.ts'
import { PinnedProcess, answers, inheritedEnvironment, type PinnedOptions } from './pinned-process.ts'
import type { Subject } from './subject.ts'
import type { SubjectName } from '../workloads.ts'

const START_TIMEOUT_MS = 20_000
const CHECK_TIMEOUT_MS = 120_000

export interface GatewaySubject extends Subject {
  readonly name: 'gateway' | 'beside'
  readonly pid: number
  restart(): Promise<void>
  /** What `check-ledger` says of its books, while it runs. */
  checkLedger(): Promise<{ readonly exitCode: number; readonly output: string }>
}

export interface GatewayOptions extends PinnedOptions {
  /** The file that `node` is given, normally `bin/tollgate.js`. */
  readonly entry: string
  readonly upstreamPort: number
  /** `gateway` unless given. */
  readonly name?: 'gateway' | 'beside'
}

export async function startGateway(options: GatewayOptions): Promise<GatewaySubject> {
  const port = await freePort()
  const { name = 'gateway' } = options
  const directory = join(options.directory, name)
  await mkdir(join(directory, 'data'), { recursive: true })
  const customKey = `bench-${randomBytes(16).toString('hex')}`
  const configPath = join(directory, 'tollgate.yaml')
  // Every JSON text is a YAML text.
  await writeFile(configPath, JSON.stringify(declare(options.upstreamPort, customKey), null, 2))
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    TOLLGATE_DATA_DIR: join(directory, 'data'),
    TOLLGATE_CONFIG: configPath,
    TOLLGATE_DEMO: '0',
  }
  const startProcess = async (): Promise<PinnedProcess> => {
    const command = [process.execPath, options.entry, 'start']
    const started = new PinnedProcess(name, command, { ...options, env: { ...env, ...options.env } })
    await started.untilReady(() => answers(`http://127.0.0.1:${port}/readyz`), START_TIMEOUT_MS)
    return started
  }
  let running = await startProcess()
  return {
    name,
    get pid() {
      return running.pid
    },
    restart: async () => {
      await running.stop()
      running = await startProcess()
    },
    target: ({ gatewayModel }) => ({ port, model: gatewayModel, authorization: `Bearer ${customKey}` }),
    checkLedger: () => checkLedger(options.entry, env),
    output: () => running.output,
    stop: () => running.stop(),
  }
}

/** The gateway under the name of a side, asked for the models whose answers it has to translate. */
export function translatingSide(gateway: GatewaySubject): Subject {
  return sideOf(gateway, 'translating', (workload) => {
    if (workload.translatedModel === null) throw new Error(`nothing is translated in ${workload.name}`)
    return { ...gateway.target(workload), model: workload.translatedModel }
  })
}

/** The gateway as it is long after a pause or its start. */
export function warmSide(gateway: GatewaySubject): Subject {
  return sideOf(gateway, 'warm', (workload) => gateway.target(workload))
}

/** A second subject in the gateway's process. Stopping it stops the gateway. */
function sideOf(gateway: GatewaySubject, name: SubjectName, target: Subject['target']): Subject {
  return {
    name,
    get pid() {
      return gateway.pid
    },
    target,
    output: () => gateway.output(),
    stop: () => gateway.stop(),
  }
}

function declare(upstreamPort: number, customKey: string): object {
  const email = 'bench@example.test'
  return {
    upstreams: Object.entries(UPSTREAM_PATHS).map(([protocol, path]) => ({
      name: protocol,
      protocol,
      base_url: `http://127.0.0.1:${upstreamPort}${path}`,
      credential: UPSTREAM_CREDENTIAL,
    })),
    models: gatewayModels().map(({ name, target }) => ({
      name,
      price: { input: '2.50', output: '10', cache_read: '0.25', cache_write: '3.125' },
      context_tokens: 400_000,
      max_output_tokens: 128_000,
      targets: [{ ...target, priority: 0, weight: 1 }],
    })),
    groups: [{ name: 'bench', multiplier: '1.2', models: ['*'] }],
    accounts: [{ email, password: randomBytes(16).toString('hex'), role: 'user', balance: '1000000' }],
    // A quota as well as a balance, so that each request draws on two budgets.
    keys: [{ account: email, name: 'bench', group: 'bench', custom_key: customKey, quota_limit: '900000' }],
  }
}

async function checkLedger(
  entry: string,
  env: Readonly<Record<string, string>>,
): Promise<{ exitCode: number; output: string }> {
  return promisify(execFile)(process.execPath, [entry, 'check-ledger'], {
    env: { ...inheritedEnvironment(), ...env },
    timeout: CHECK_TIMEOUT_MS,
  }).then(
    ({ stdout }) => ({ exitCode: 0, output: stdout }),
    (error: { code?: unknown; stdout?: string; stderr?: string }) => ({
      exitCode: typeof error.code === 'number' ? error.code : 1,
      output: `${error.stdout ?? ''}${error.stderr ?? ''}`,
    }),
  )
}
