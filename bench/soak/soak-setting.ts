/** What a soak runs against: a gateway and a fake upstream, each a process, and keys on which every limit is set. */
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Environment,
  gatewayEnvironment,
  type GatewayProcess,
  runTollgate,
  startGatewayProcess,
} from '../../test/support/gateway-process.ts'
import { startUpstream, UPSTREAM_CREDENTIAL, type UpstreamSubject } from '../run/subjects/fake-upstream.ts'
import { type OutsideReceiver, startOutsideReceiver } from './outside-receiver.ts'
import { witnessedEnvironment } from './kept-memory.ts'
import { HEDGE_AFTER_MS, SOAK_MODELS } from './stream-menu.ts'

export interface SoakSetting {
  readonly gateway: GatewayProcess
  readonly gatewayPort: number
  readonly upstream: UpstreamSubject
  /** Where traces, metrics and alerts go. */
  readonly outside: OutsideReceiver
  /** The environment of the gateway and of commands that run beside it. */
  readonly environment: Environment
  readonly dataDirectory: string
  /** The secrets of all keys. */
  readonly secrets: readonly string[]
}

/** Who pays: a subscription; one that has run out after a while, then the balance; the balance alone. */
const PAYERS = { subscriber: 'ample', switcher: 'scarce', payer: null } as const
const KEYS_EACH = 2
const AMPLE = '1000000'
/** What the streams of some ten seconds cost. */
const SCARCE = '5'

/** Starts both in `directory`, the gateway with so many threads that carry requests. Rejects when one of them does not get ready; what was started is then stopped. */
export async function startSetting(directory: string, workers: number): Promise<SoakSetting> {
  const upstream = await startUpstream({ core: null, directory })
  const outside = await startOutsideReceiver()
  try {
    const dataDirectory = join(directory, 'data')
    const configPath = join(directory, 'tollgate.yaml')
    const environment = gatewayEnvironment(dataDirectory, {
      TOLLGATE_CONFIG: configPath,
      TOLLGATE_DEMO: '0',
      TOLLGATE_WORKERS: String(workers),
      ...everythingOn(outside.port),
      ...witnessedEnvironment(directory),
    })
    await mkdir(dataDirectory)
    const keys = Object.keys(PAYERS).flatMap((name) =>
      Array.from({ length: KEYS_EACH }, (_, index) => ({
        account: emailOf(name),
        name: `${name}-${index}`,
        custom_key: `soak-${randomBytes(16).toString('hex')}`,
        // One key of each account is given its own answers again.
        response_cache: index === 0 ? 'off' : 'key',
      })),
    )
    // Every JSON text is a YAML text.
    await writeFile(configPath, JSON.stringify(declaration(upstream.port, keys)))
    const gateway = await startGatewayProcess(environment)
    for (const [name, plan] of Object.entries(PAYERS))
      if (plan !== null) await subscribe(environment, emailOf(name), plan)
    const secrets = keys.map((key) => key.custom_key)
    const gatewayPort = Number(new URL(gateway.origin).port)
    return { gateway, gatewayPort, upstream, outside, environment, dataDirectory, secrets }
  } catch (error) {
    outside.close()
    await upstream.stop()
    throw error
  }
}

/** What a gateway may send of itself, often enough that a short run has many deliveries. */
function everythingOn(port: number): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '500',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    TOLLGATE_ALERT_WEBHOOK_URL: `http://127.0.0.1:${port}/alerts`,
    TOLLGATE_ALERT_WEBHOOK_FORMAT: 'slack',
  }
}

/** Rules that would refuse nearly every attempt, and do not. */
const SHADOW = { max_concurrency: 1, requests_per_minute: 1, shadow: ['max_concurrency', 'requests_per_minute'] }

/** Nothing listens there. */
const GONE = { name: 'gone', protocol: 'openai', base_url: 'http://127.0.0.1:1/v1', credential: UPSTREAM_CREDENTIAL }

/** No target of the first group answers, so that each request goes on in the next, where no plan pays. */
function behind(model: string): readonly object[] {
  return [
    { upstream: GONE.name, model, groups: ['soak'] },
    { upstream: 'openai', model, groups: ['behind'] },
    { upstream: 'anthropic', model, groups: ['behind'] },
  ]
}

function declaration(upstreamPort: number, keys: readonly object[]): object {
  const upstreams = ['openai', 'anthropic']
  const quotas = (usd: string) => [
    { window: '5h', usd },
    { window: '7d', usd: AMPLE },
  ]
  const plan = { groups: ['soak'], days: 30, price: '20' }
  return {
    upstreams: [
      GONE,
      ...upstreams.map((protocol) => ({
        name: protocol,
        protocol,
        base_url: `http://127.0.0.1:${upstreamPort}/v1`,
        // Conversations stay with one of them, since a model's cached input is cheaper.
        credentials: ['a', 'b', 'c'].map((name) => ({
          name,
          secret: UPSTREAM_CREDENTIAL,
          spend_per_day: AMPLE,
          ...SHADOW,
        })),
      })),
    ],
    models: Object.entries(SOAK_MODELS).map(([name, model]) => ({
      name,
      price: { input: '2.50', output: '10', cache_read: '0.25', cache_write: '3.125' },
      context_tokens: 400_000,
      max_output_tokens: 128_000,
      targets: name === 'brief' ? behind(model) : upstreams.map((upstream) => ({ upstream, model })),
      ...(name === 'hedged' ? { hedge_after_ms: HEDGE_AFTER_MS } : {}),
    })),
    groups: [
      { name: 'soak', multiplier: '1.2', models: ['*'], cache: { ttl_seconds: 30, price: '0.1' } },
      { name: 'behind', multiplier: '1.4', models: ['brief'] },
    ],
    plans: [
      { name: 'ample', ...plan, quotas: quotas(AMPLE) },
      { name: 'scarce', ...plan, quotas: quotas(SCARCE) },
    ],
    accounts: Object.keys(PAYERS).map((name) => ({ email: emailOf(name), balance: AMPLE })),
    keys: keys.map((key) => ({
      ...key,
      group: 'soak',
      fallback_groups: ['behind'],
      quota_limit: AMPLE,
      quota_reset: 'daily',
      rate_limit: limits(),
    })),
  }
}

/** All of them set, and none in the way. */
function limits(): object {
  const spend = ['5h', '1d', '7d'].map((window) => ({ window, usd: AMPLE }))
  return { concurrency: 10_000, requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, spend }
}

async function subscribe(environment: Environment, email: string, plan: string): Promise<void> {
  const { code, stdout, stderr } = await runTollgate(environment, ['subscription', 'create', email, plan])
  if (code !== 0) throw new Error(`no subscription: ${stderr}${stdout}`)
}

function emailOf(name: string): string {
  return `${name}@example.test`
}
