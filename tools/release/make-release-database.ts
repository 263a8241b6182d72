import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import pg from 'pg'
import { type AlertReceiver, startAlertReceiver } from '../../test/support/alert-receiver.ts'
import { type FakeStripe, fakeStripe } from '../../test/support/fake-stripe.ts'
import { gatewayEnvironment } from '../../test/support/gateway-process.ts'
import { type MannerlyProvider, startMannerlyProvider } from '../../test/support/oidc-manners.ts'
import { startFakeUpstream } from '../fake-upstream/fake-upstream.ts'
import { startSampleProcess } from '../sample/sample-process.ts'
import { leaveRunning, liveFirstWeeks, liveLastDay } from './release-life.ts'
import { BEGINS_MS, FAKE_UPSTREAM_PORTS, LAST_DAY_MS, UPKEEP_MS } from './release-plan.ts'
import { releaseEnvironment, type ReleasePlace } from './restore-release.ts'
import { SteppedGateway } from './stepped-gateway.ts'

const ROOT = join(import.meta.dirname, '..', '..')

interface Around {
  readonly receiver: AlertReceiver
  readonly stripe: FakeStripe
  readonly provider: MannerlyProvider
}

/** Fills an empty place as this version does, and leaves it as a process does that is killed while it answers. */
export async function makeReleaseDatabase(place: ReleasePlace): Promise<void> {
  const upstream = await startFakeUpstream({
    port: FAKE_UPSTREAM_PORTS[place.databaseUrl === null ? 'sqlite' : 'postgres'],
  })
  const around = {
    receiver: await startAlertReceiver(),
    stripe: await fakeStripe(),
    provider: await startMannerlyProvider({}),
  }
  try {
    const before = await started(place, { around, name: 'first weeks', standsAtMs: BEGINS_MS })
    try {
      await liveFirstWeeks(before, upstream.url)
    } finally {
      await before.stop()
    }
    await keepUp(place, upstream.url)
    const after = await started(place, { around, name: 'last day', standsAtMs: LAST_DAY_MS })
    try {
      await liveLastDay(after, around)
      await leaveRunning(after, { isNoted: () => hasOpenRequest(place), freeze: () => writeFile(freezesAt(place), '') })
    } finally {
      await after.kill()
    }
  } finally {
    await Promise.all([upstream, ...Object.values(around)].map((each) => each.close()))
  }
}

async function started(
  place: ReleasePlace,
  { around, name, standsAtMs }: { around: Around; name: string; standsAtMs: number },
): Promise<SteppedGateway> {
  const { receiver, stripe, provider } = around
  const process = await startSampleProcess({
    directory: place.directory,
    standsAtMs,
    holdsElapsed: true,
    seed: name,
    environment: {
      ...releaseEnvironment(place),
      SAMPLE_FREEZES_AT: freezesAt(place),
      TOLLGATE_ALERT_WEBHOOK_URL: receiver.url,
      TOLLGATE_ALERT_WEBHOOK_SECRET: 'an-alert-secret-that-is-only-for-tests',
      TOLLGATE_STRIPE_API_URL: stripe.url,
      TOLLGATE_OIDC_ISSUER: provider.settings.issuer,
      TOLLGATE_OIDC_CLIENT_ID: provider.settings.clientId,
      TOLLGATE_OIDC_CLIENT_SECRET: provider.settings.clientSecret,
    },
  })
  return new SteppedGateway(process, { name, standsAtMs })
}

/** Where that file is, the thread of the embedded database stops behind the next settlement. */
function freezesAt({ directory }: ReleasePlace): string {
  return join(directory, 'freeze')
}

/** What a running installation has done for it in the course of weeks, at once: retention, an import. */
async function keepUp(place: ReleasePlace, upstreamUrl: string): Promise<void> {
  await run(place, { seed: 'retention', args: ['retention'] })
  const configuration = join(place.directory, 'config.yaml')
  await writeFile(configuration, JSON.stringify(configurationOfLitellm(upstreamUrl)))
  const moveIn = ['import', 'litellm', configuration]
  const { stdout } = await run(place, { seed: 'dry run', args: [...moveIn, '--dry-run'] })
  const confirmed = ['--confirm', /--confirm (\S+)/.exec(stdout)?.[1] ?? '']
  await run(place, { seed: 'import', args: [...moveIn, ...confirmed] })
}

function configurationOfLitellm(upstreamUrl: string): object {
  const served = { model: 'openai/gpt-house', api_base: `${upstreamUrl}/v1`, api_key: 'sk-house-for-tests' }
  const prices = { input_cost_per_token: 2.5e-6, output_cost_per_token: 0.000_01 }
  return { model_list: [{ model_name: 'house-model', litellm_params: served, model_info: prices }] }
}

/** Runs a command as a process of its own, whose clock stands at the time of the upkeep. */
async function run(
  place: ReleasePlace,
  { seed, args }: { seed: string; args: readonly string[] },
): Promise<{ stdout: string }> {
  const { directory } = place
  const preload = new URL('../sample/held-process.ts', import.meta.url).href
  const env = gatewayEnvironment(directory, {
    ...releaseEnvironment(place),
    TOLLGATE_KEEP_USAGE_DAYS: '30',
    TOLLGATE_ARCHIVE_DIR: join(directory, 'archive'),
    SAMPLE_STANDS_AT_MS: String(UPKEEP_MS),
    SAMPLE_SEED: seed,
  })
  return promisify(execFile)(process.execPath, [`--import=${preload}`, 'src/main.ts', ...args], { cwd: ROOT, env })
}

async function hasOpenRequest({ databaseUrl, directory }: ReleasePlace): Promise<boolean> {
  const question = 'select count(*) as open from open_requests'
  if (databaseUrl === null) {
    using database = new DatabaseSync(join(directory, 'tollgate.db'), { readOnly: true, timeout: 5_000 })
    return Number(database.prepare(question).get()?.['open']) > 0
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return Number((await client.query<{ open: string }>(question)).rows[0]?.open) > 0
  } finally {
    await client.end()
  }
}
