import type { AlertTestView, ConfigurationView } from '../contract/configuration.ts'
import type { AttemptObstacle, ModelListResult } from '../core/model-list-results.ts'
import type { NanoUsd } from '../core/money.ts'
import type { LocalServer } from '../core/local-servers.ts'
import type { MintedKind } from '../core/credential-kind.ts'
import type { UpstreamDialect } from '../core/upstream-dialect.ts'
import type { RemoteProtocol } from '../core/upstream-protocol.ts'
import type { ListedModelStore } from '../routing/listed-models.ts'
import type { CredentialStanding, FailingRenewal } from '../routing/credential-health.ts'
import type { CredentialPause } from '../routing/credential-use.ts'
import type { FailureClass } from '../routing/failure-class.ts'
import type { TargetState } from '../routing/target-health.ts'
import type { TrialAnswer, TrialQuestion } from '../routing/upstream-trial.ts'
import type { IncomingMessage } from 'node:http'
import type { AttemptLimiter } from '../access/attempt-limiter.ts'
import type { UnknownTries } from '../access/unknown-tries.ts'
import type { IdempotencyStore } from '../access/idempotency.ts'
import type { Clock } from '../core/clock.ts'
import type { IdPrefix } from '../core/ids.ts'
import type { Logger } from '../core/log.ts'
import type { StoreFailure } from '../core/store-failures.ts'
import type { Account } from '../access/account.ts'
import type { DeviceTokens } from '../access/device-tokens.ts'
import type { AlertHistory, AlertStore } from '../alerts/alert.ts'
import type { BudgetStore } from '../metering/budgets/budget.ts'
import type { Limited, LimitState } from '../metering/limits/limit-terms.ts'
import type { UsageStore } from '../metering/usage/usage-store.ts'
import type { KeyMessageAnswer, KeyMessageQuestion } from '../entitlement/key-message.ts'
import type { RouteExplanation, RouteQuestion } from '../entitlement/route-explanation.ts'
import type { FetchedPrices } from '../contract/price-fetch.ts'
import type { ShippedPrices } from '../contract/price-catalogue.ts'
import type { DeviceCodes } from './sign-in/device-codes.ts'
import type { ChangeableStores } from './changeable-stores.ts'
import type { PublicPages } from './public/public-pages.ts'
import type { SignIn } from './sign-in.ts'
import type { SystemParts } from './system.ts'

/** What the console API is built from. `app` joins it; nothing of a running gateway is known here but by these. */
export interface ControlParts {
  readonly store: ControlStores
  readonly clock: Clock
  readonly log: Pick<Logger, 'error' | 'warn'>
  /** A new id, made of this moment. */
  newId(prefix: IdPrefix): string
  readonly randomBytes: (count: number) => Uint8Array
  readonly hashes: SecretHashes
  /** Makes and reads the tokens of signed-in devices. */
  readonly deviceTokens: DeviceTokens
  /** Encrypts what only the gateway may read, such as an upstream's credential. */
  readonly seal: (text: string) => string
  /** The other way, for the secrets that payments are checked with. Throws. */
  readonly unseal: (sealed: string) => string
  /** Where Stripe is asked; null: its own address. */
  readonly stripeApiUrl: string | null
  /** TOLLGATE_PUBLIC_URL, where others reach this server; null: it is unset, and what a request says is for its caller alone. */
  readonly publicOrigin: string | null
  /** TOLLGATE_ADMIN_TOKEN; null: there is none. */
  readonly adminToken: string | null
  readonly signIn: SignIn
  /** The caller's address, believing trusted proxies alone. */
  addressOf(request: IncomingMessage): string
  /** The address at which the caller reaches this server: scheme://host, and the path that a reverse proxy serves it under. */
  originOf(request: IncomingMessage): string
  /** Where the request itself says that it reached this server, whatever address is to be shown. */
  askedOriginOf(request: IncomingMessage): string
  /** How the counted limits of a key or an account stand, on all nodes where they are counted together. */
  limitStates(of: Limited): Promise<readonly LimitState[]>
  /** Whether limits are counted over all nodes now; false: Redis does not answer; null: it is not used. */
  areLimitsExact(): boolean | null
  /** Requests that this process refused without a known key, by the address that they came from. `sinceMs`: epoch milliseconds. */
  unknownTries(address: string, sinceMs: number): readonly UnknownTries[]
  /** Where a request would go, as this node's gateway would choose now. Throws the Fault that stops it before. */
  explainRoute(question: RouteQuestion): RouteExplanation
  /** Sends one small request to an upstream, as the gateway would, within a bounded time. */
  testUpstream(upstreamId: string): Promise<CredentialTest>
  /** Tests an upstream, and returns the models that it lists. */
  listUpstreamModels(upstreamId: string): Promise<UpstreamModelList>
  /** Finds out by up to three small requests which protocol an address speaks, and which models it lists. */
  probeAddress(question: ProbeQuestion): Promise<AddressProbe>
  /** The servers of models that answer on the gateway's own machine, without a credential. */
  localServers(): Promise<readonly AnsweringServer[]>
  /** Sends one real request to an upstream, on the way that clients' requests take. */
  tryUpstream(question: TrialQuestion): Promise<TrialAnswer>
  /** Sends a small real request with a key, on the way that clients' requests take; its account pays. */
  sendKeyMessage(question: KeyMessageQuestion): Promise<KeyMessageAnswer>
  /** The credentials of an upstream, as this node sees them. */
  credentialsNow(upstreamId: string): readonly CredentialNow[]
  /** An upstream as this node sees it, with whichever credential. */
  upstreamNow(upstreamId: string): UpstreamNow
  /** How this node sees the caps on what an upstream and its targets may spend in a day. */
  capsNow(upstreamId: string): readonly CapNow[]
  /** Refusals that rules in shadow would have made, counted by all threads of this process. */
  shadowCounts(): Promise<readonly ShadowCount[]>
  /** The list prices that came with this version; null: the package is not whole. */
  shippedPrices(): Promise<ShippedPrices | null>
  /** Asks another server for its list of prices, within a bounded time. `url`: as `readPriceUrl` gives it. */
  fetchPrices(url: string): Promise<FetchedPrices>
  /** How the newest backup stands; null: none are looked for. */
  backupStanding(): Promise<BackupStanding | null>
  /** Resolves when every running gateway acts on the change with this number, to the ids of those that did not in time. */
  waitForNodes(seq: number): Promise<readonly string[]>
  /** The installation as a declarative file, without a secret in plain text; null: it is too large to be made while requests run. */
  exportFile(nowMs: number): Promise<{ readonly text: string; readonly remarks: readonly string[] } | null>
  /** Every environment variable, as this node was given it. */
  variables(): ConfigurationView['variables']
  /** Sends a test to the webhook, and to this address by mail: on each way that is set up, each within a bound of its own. */
  testAlerts(to: Pick<Account, 'id' | 'email'>): Promise<AlertTestView['data']>
  readonly system: SystemParts
  /** Whether it stops; it may still serve. */
  isDraining(): boolean
  /** Whether it takes no more requests. */
  isClosed(): boolean
  /** What keeps this process from using its database, as its gateway refuses calls for it; null: nothing does. */
  storeFailure(): Promise<StoreFailure | null>
  /** What the database answered with an error; null: the error is not one of the database’s. */
  answeredFailure(error: unknown): StoreFailure | null
  readonly instance: InstanceFacts
  /** Finds sign-ins that wait for approval. */
  readonly deviceCodes: DeviceCodes
  /** What pages without sign-in share. */
  readonly publicPages: PublicPages
  /** Tests: every answer is compared with the schema that documents it. */
  readonly checksAnswers?: boolean
}

export interface ControlStores extends ChangeableStores {
  /** Runs `work` with stores whose changes are one transaction; see `ApiCall.change`, by which routes change anything. */
  together<T>(work: (stores: ChangeableStores) => Promise<T>): Promise<T>
  readonly budgets: BudgetStore
  readonly usage: UsageStore
  readonly alerts: AlertStore & AlertHistory
  readonly listedModels: Pick<ListedModelStore, 'standings'>
  readonly idempotency: IdempotencyStore
  readonly attemptLimiter: AttemptLimiter
}

/** How the node that is asked sees a credential of an upstream. */
export interface CredentialNow {
  readonly name: string
  /** The last four characters of its secret; null: too short to show a part of. */
  readonly secretEnd: string | null
  readonly state: CredentialStanding['state'] | CredentialPause | 'disabled'
  readonly because: FailureClass | null
  /** Epoch milliseconds; null: it is not left alone, or nothing ends that but a person. */
  readonly until: number | null
  /** How often in a row it was held, or has rested. */
  readonly count: number
  readonly inFlight: number
  /** null: it has no cap. */
  readonly spentToday: NanoUsd | null
  /** A renewal of its token that fails, whatever state it is in; times are epoch milliseconds. null: none does, or it is held. */
  readonly renewal: FailingRenewal | null
}

/** How the node that is asked sees an upstream with whichever credential, or with none where it wants none. */
export interface UpstreamNow {
  /** Requests under way there. */
  readonly inFlight: number
  /** Each model that was asked for since the node started, by its name there. */
  readonly models: readonly {
    readonly model: string
    readonly state: TargetState
    /** Why it rests. */
    readonly because: FailureClass | null
    /** Why no answer came then; null: one came, or nothing says why. */
    readonly why: AttemptObstacle | null
    /** Epoch milliseconds; null: it is not left alone. */
    readonly until: number | null
    /** How often in a row it has rested. */
    readonly count: number
  }[]
}

/** How an upstream answered a test. */
export interface UpstreamTest {
  readonly isGood: boolean
  /** null: no answer came. */
  readonly status: number | null
  readonly totalMs: number
  /** What it came to, and what the upstream said itself, without what is secret. */
  readonly result: ModelListResult
  readonly said: string | null
  /** Both in a sentence, for admins: names no credential. */
  readonly detail: string
}

/** A test that a person asked for. */
export interface CredentialTest extends UpstreamTest {
  /** Whether the list is for those with the credential alone; null: none was sent, no list came, or that could not be found out. */
  readonly provesCredential: boolean | null
}

export interface UpstreamModelList extends UpstreamTest {
  /** null: it answered with none. `isWhole`: it lists no others. */
  readonly listed: { readonly names: readonly string[]; readonly isWhole: boolean } | null
}

/** What is known of an address before it is an upstream. */
export interface ProbeQuestion {
  /** The base URL, as `readBaseUrl` gives it. */
  readonly baseUrl: string
  /** null: it wants none. */
  readonly credential: string | null
  /** The proxy’s URL, as `readProxyUrl` gives it; null: it is reached without one. */
  readonly proxyUrl: string | null
  /** Sent beside the credential. */
  readonly headers: Readonly<Record<string, string>>
  /** The only one that is asked; null: all of them, the likeliest first. */
  readonly protocol: RemoteProtocol | null
  /** The cloud that it is bought from, as an upstream has it; absent: none. Its protocol is named. */
  readonly cloud?: ProbedCloud
  /** What the credential is minted with; absent: it is sent as it is. */
  readonly minted?: { readonly kind: MintedKind; readonly settings: Readonly<Record<string, string>> }
}

export interface AnsweringServer {
  readonly server: LocalServer
  readonly baseUrl: string
  /** How many it lists. */
  readonly models: number
}

export interface ProbedCloud {
  readonly dialect: UpstreamDialect
  readonly region: string | null
  readonly apiVersion: string | null
}

export interface AddressProbe {
  /** The protocol that fits; null: none did. */
  readonly protocol: RemoteProtocol | null
  /** The base URL at which it does, which may be another than the one that was given. */
  readonly baseUrl: string
  /** Each address and protocol that was asked, in order. */
  readonly steps: readonly ProbeStep[]
  /** The names of models that it lists, in order, without what cannot be a name. */
  readonly models: readonly string[]
}

export interface ProbeStep extends UpstreamTest {
  readonly protocol: RemoteProtocol
  /** The address that was asked, without a query. */
  readonly url: string
  readonly times: ProbeTimes
}

/** Milliseconds of each step, from the end of the one before; null: there is none, such as TLS of http, or it was not reached. */
export interface ProbeTimes {
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  readonly firstByteMs: number | null
}

/** Keyed hashes, one key for each purpose. */
export interface SecretHashes {
  /** Hashes an API key's secret, as it is stored. */
  readonly apiKey: (secret: string) => string
  readonly accessToken: (secret: string) => string
  /** Hashes the codes of programs that ask for a sign-in. */
  readonly deviceCode: (code: string) => string
  readonly redeemCode: (code: string) => string
  /** Hashes a request, which may hold secrets. */
  readonly request: (text: string) => string
  /** Seals cursors against changes. */
  readonly cursor: (text: string) => string
  /** Seals what lets an admin see an account as its owner does. */
  readonly seeAs: (text: string) => string
}

/** What this installation is, decided at its start. */
export interface InstanceFacts {
  readonly version: string
  readonly demo: boolean
  readonly canMail: boolean
  readonly oidcName: string | null
}

/** A cap on what an upstream, or one of its targets, may cost in a day. */
export interface CapNow {
  /** The public name of the target's model, and its name at the upstream; null: of the upstream. */
  readonly model: string | null
  readonly targetModel: string | null
  readonly perDay: NanoUsd
  readonly spentToday: NanoUsd
  /** Epoch milliseconds, once it is reached; null: more may be spent. */
  readonly until: number | null
  /** Whether it is counted and not enforced. */
  readonly isShadow: boolean
}

/** How often a rule in shadow would have refused since this process started; names that say nothing of it are empty. */
export interface ShadowCount {
  readonly rule: string
  readonly upstream: string
  readonly credential: string
  readonly model: string
  readonly upstreamModel: string
  readonly refusals: number
  /** Epoch milliseconds; null: in a thread that has ended. */
  readonly lastAt: number | null
}

/** How the files that `TOLLGATE_BACKUP_FILES` names stand. */
export interface BackupStanding {
  /** Epoch milliseconds; null: there is none. */
  readonly newestAtMs: number | null
  readonly isOld: boolean
  readonly maxAgeHours: number
}
