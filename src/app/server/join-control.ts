import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readAlertTemplate } from '../../control/settings/alert-template.ts'
import { createControl } from '../../control/control.ts'
import type { ControlParts, CredentialTest, SecretHashes } from '../../control/parts.ts'
import type { SignIn } from '../../control/sign-in.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import type { Logger } from '../../core/log.ts'
import type { Sealer } from '../../core/secret-box.ts'
import type { Store } from '../../store/store.ts'
import { version } from '../cli/version.ts'
import type { ChangeFollower } from '../../cluster/change-follower.ts'
import { waitForNodes } from '../../cluster/wait-for-nodes.ts'
import type { Environment, Settings } from '../installation/environment.ts'
import { givenVariables } from '../installation/given-variables.ts'
import { requestOrigins } from './gateway-origin.ts'
import { boundedExport } from '../declarative/bounded-export.ts'
import { fetchPrices } from './fetch-prices.ts'
import { readShippedPrices } from './shipped-prices.ts'
import { testAlerts } from './test-alerts.ts'
import { thisHost } from '../../cluster/host-process.ts'

export interface JoinControlOptions {
  readonly settings: Settings
  /** As the settings were read from it; absent: nothing was set. */
  readonly environment?: Environment
  readonly store: Store
  readonly sealer: Sealer
  readonly hashes: SecretHashes
  readonly clock: Clock
  readonly log: Logger
  readonly signIn: SignIn
  /** Of this node; absent: there is no gateway here. */
  readonly follower?: ChangeFollower
  /** Of this node's gateway. */
  limitStates: ControlParts['limitStates']
  areLimitsExact: ControlParts['areLimitsExact']
  explainRoute: ControlParts['explainRoute']
  unknownTries: ControlParts['unknownTries']
  /** As this node's gateway would reach it. */
  testUpstream(upstreamId: string): Promise<CredentialTest>
  listUpstreamModels: ControlParts['listUpstreamModels']
  tryUpstream: ControlParts['tryUpstream']
  sendKeyMessage: ControlParts['sendKeyMessage']
  probeAddress: ControlParts['probeAddress']
  credentialsNow: ControlParts['credentialsNow']
  upstreamNow: ControlParts['upstreamNow']
  capsNow: ControlParts['capsNow']
  shadowCounts: ControlParts['shadowCounts']
  backupStanding: ControlParts['backupStanding']
  readonly system: ControlParts['system']
  isDraining(): boolean
  isClosed(): boolean
  storeFailure: ControlParts['storeFailure']
  answeredFailure: ControlParts['answeredFailure']
  /** See `ControlParts`. */
  readonly checksAnswers?: boolean
}

/** Joins the console API from its parts: what it needs to know of the running gateway comes in here, and only here. */
export function joinControl(options: JoinControlOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const { settings, store, clock, log } = options
  const host = thisHost(randomUUID)
  const here = options.follower === undefined ? {} : { here: options.follower }
  return createControl({
    store,
    clock,
    log,
    newId: (prefix) => newId(prefix, clock.now()),
    randomBytes: (count) => randomBytes(count),
    hashes: options.hashes,
    seal: (text) => options.sealer.seal(text),
    unseal: (sealed) => options.sealer.open(sealed),
    stripeApiUrl: settings.stripeApiUrl,
    publicOrigin: settings.publicUrl,
    adminToken: settings.adminToken,
    signIn: options.signIn,
    limitStates: options.limitStates,
    areLimitsExact: options.areLimitsExact,
    explainRoute: options.explainRoute,
    unknownTries: options.unknownTries,
    testUpstream: options.testUpstream,
    listUpstreamModels: options.listUpstreamModels,
    tryUpstream: options.tryUpstream,
    probeAddress: options.probeAddress,
    sendKeyMessage: options.sendKeyMessage,
    credentialsNow: options.credentialsNow,
    upstreamNow: options.upstreamNow,
    capsNow: options.capsNow,
    shadowCounts: options.shadowCounts,
    backupStanding: options.backupStanding,
    shippedPrices: readShippedPrices,
    fetchPrices: (url) => fetchPrices(url),
    variables: () => givenVariables(options.environment ?? {}),
    exportFile: (nowMs) => boundedExport(store, nowMs),
    testAlerts: (to) => testAlerts(to, { settings, clock, readTemplate: () => readAlertTemplate(store.settings) }),
    ...requestOrigins(settings),
    waitForNodes: (seq) => waitForNodes(seq, { nodes: store.nodes, clock, host, ...here }),
    system: options.system,
    isDraining: options.isDraining,
    isClosed: options.isClosed,
    storeFailure: options.storeFailure,
    answeredFailure: options.answeredFailure,
    instance: {
      version: version(),
      demo: settings.wantsDemo,
      canMail: settings.mail !== null,
      oidcName: settings.oidc?.name ?? null,
    },
    ...(options.checksAnswers === undefined ? {} : { checksAnswers: options.checksAnswers }),
  })
}
