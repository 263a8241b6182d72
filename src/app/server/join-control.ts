import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readAlertTemplate } from '../../control/settings/alert-template.ts'
import { createControl } from '../../control/control.ts'
import type { ControlParts } from '../../control/parts.ts'
import { newId } from '../../core/ids.ts'
import type { Sealer } from '../../core/secret-box.ts'
import type { Store } from '../../store/store.ts'
import { version } from '../installation/version.ts'
import type { ChangeFollower } from '../../cluster/change-follower.ts'
import { waitForNodes } from '../../cluster/wait-for-nodes.ts'
import { type Environment, type Settings, givenVariables } from '../installation/environment.ts'
import { requestOrigins } from './gateway-origin.ts'
import { boundedExport } from '../declarative/export-file.ts'
import { fetchPrices, readShippedPrices } from './fetch-prices.ts'
import { thisHost } from '../../cluster/host-process.ts'
import { type AlertWaySettings, alertCarriers } from '../../alerts/alert-carriers.ts'
import type { TrialAlert } from '../../alerts/carrier.ts'
import type { ReadTemplate } from '../../alerts/last-template.ts'
import type { AlertTestView } from '../../contract/configuration.ts'
import type { Clock } from '../../core/clock.ts'

interface ControlSources {
  readonly settings: Settings
  /** What the settings were read from; absent: nothing was set. */
  readonly environment?: Environment
  readonly store: Store
  readonly sealer: Sealer
  readonly clock: Clock
  /** What follows the changes in this process; absent: it has no gateway. */
  readonly follower?: ChangeFollower
}

export type JoinControlOptions = ControlSources &
  Omit<ControlParts, 'publicPages' | 'deviceCodes' | keyof ReturnType<typeof partsMadeHere>>

/** Joins the console API from its parts: what it needs to know of the running gateway comes in here, and only here. */
export function joinControl(options: JoinControlOptions): (request: IncomingMessage, response: ServerResponse) => void {
  return createControl({ ...options, ...partsMadeHere(options) })
}

/** The parts that are made of the settings and of what is the same for each node. */
function partsMadeHere({ settings, environment = {}, store, sealer, clock, follower }: ControlSources) {
  const host = thisHost(randomUUID)
  const here = follower === undefined ? {} : { here: follower }
  return {
    newId: (prefix) => newId(prefix, clock.now()),
    randomBytes: (count) => randomBytes(count),
    seal: (text) => sealer.seal(text),
    unseal: (sealed) => sealer.open(sealed),
    stripeApiUrl: settings.stripeApiUrl,
    publicOrigin: settings.publicUrl,
    adminToken: settings.adminToken,
    shippedPrices: readShippedPrices,
    fetchPrices: (url) => fetchPrices(url),
    variables: () => givenVariables(environment),
    exportFile: (nowMs) => boundedExport(store, nowMs),
    testAlerts: (to) => testAlerts(to, { settings, clock, readTemplate: () => readAlertTemplate(store.settings) }),
    ...requestOrigins(settings),
    waitForNodes: (seq) => waitForNodes(seq, { nodes: store.nodes, clock, host, ...here }),
    instance: {
      version: version(),
      demo: settings.wantsDemo,
      canMail: settings.mail !== null,
      oidcName: settings.oidc?.name ?? null,
    },
  } satisfies Partial<ControlParts>
}

/** Sends a test on every way that the settings name, and says what came of each; nothing is recorded. */
async function testAlerts(
  to: Parameters<ControlParts['testAlerts']>[0],
  { settings, clock, readTemplate }: { settings: AlertWaySettings; clock: Clock; readTemplate: ReadTemplate },
): Promise<AlertTestView['data']> {
  const carriers = await alertCarriers(settings, clock, readTemplate)
  const about = { accountId: to.id, accountEmail: to.email, createdAt: clock.now() }
  const trial: TrialAlert = { kind: 'trial', id: `test_${randomBytes(10).toString('hex')}`, ...about }
  return Promise.all(
    carriers.map(async (carrier) => {
      const askedAt = clock.elapsed()
      const outcome = await carrier.send(trial, new AbortController().signal)
      const failure = outcome.kind === 'delivered' ? null : outcome.failure
      const took_ms = Math.round(clock.elapsed() - askedAt)
      return { way: carrier.way, delivered: failure === null, failure, took_ms }
    }),
  )
}
