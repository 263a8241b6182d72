import {
  DATABASE_CONNECTIONS,
  FEWEST_DATABASE_CONNECTIONS,
  HELD_INPUT_TOKENS,
  HELD_OUTPUT_TOKENS,
  IDLE_TIMEOUT_MS,
  MOST_DATABASE_CONNECTIONS,
  MOST_WORKERS,
  STREAM_BEGINS_WITHIN_MS,
  TOTAL_TIMEOUT_MS,
} from '../../core/limits.ts'
import { sitePath, sitePathOf } from '../../core/site-path.ts'
import { mayGoOn } from '../../gateway/may-go-on.ts'
import { readAddressRange } from '../../access/address-range.ts'
import { oneOf, onOrOff, text, textLike, url, variable, wholeNumber } from './variable.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const LONGEST_DRAIN_MS = 3_600_000
const LONGEST_SHUTDOWN_DELAY_MS = 60_000
/** Longer than Kubernetes and checks once a second take to notice, and short enough for the 10 s that Docker gives. */
const SHUTDOWN_DELAY_MS = 5_000
const MOST_HELD_TOKENS = 1_000_000
const SHORTEST_SECRET_BYTES = 32

/** The server itself: where it listens, where its data are, how it runs. */
export const SERVER_VARIABLES = {
  host: variable({
    name: 'HOST',
    meaning: 'the address it listens on; 0.0.0.0 for all',
    takes: 'an IP address or a host name, without a port',
    value: text().where(isHost),
    unset: '127.0.0.1',
  }),
  /** 0: any free port. */
  port: variable({
    name: 'PORT',
    meaning: 'the port it listens on; 0 for any free one',
    ...wholeNumber(0, 65_535),
    unset: 8787,
  }),
  dataDir: variable({
    name: 'TOLLGATE_DATA_DIR',
    meaning: 'the directory of the embedded database and the generated secret',
    ifUnset: '~/.local/share/tollgate, or tollgate in XDG_DATA_HOME; in a checkout ./data',
    takes: 'a path',
    value: text(),
  }),
  /** null: the embedded database in `dataDir`. */
  databaseUrl: variable({
    name: 'DATABASE_URL',
    meaning: 'PostgreSQL instead of the embedded database',
    ifUnset: 'embedded SQLite',
    takes: 'a URL such as postgres://user:password@host:5432/tollgate',
    isSecret: true,
    value: text().where(isDatabaseUrl),
  }),
  databaseConnections: variable({
    name: 'TOLLGATE_DATABASE_CONNECTIONS',
    meaning: 'connections to PostgreSQL that each thread opens at most for statements; one more listens to changes',
    ...wholeNumber(FEWEST_DATABASE_CONNECTIONS, MOST_DATABASE_CONNECTIONS),
    more: 'See [how many there are](#connections-to-postgresql)',
    unset: DATABASE_CONNECTIONS,
  }),
  redisUrl: variable({
    name: 'REDIS_URL',
    meaning: 'Redis or Valkey: exact rate and concurrency limits over many nodes',
    ifUnset: 'counters in this process',
    takes: 'a URL such as redis://host:6379',
    more: 'Money never depends on it. Without it, and while it does not answer, each node enforces its share of them',
    isSecret: true,
    value: url('redis:', 'rediss:', 'valkey:', 'valkeys:').where(isRedisUrl),
  }),
  /** null: the one in the data directory. */
  secret: variable({
    name: 'TOLLGATE_SECRET',
    meaning: 'hashes API keys and encrypts upstream credentials; required with DATABASE_URL, the same on every node',
    ifUnset: 'generated once into the data directory',
    takes: `at least ${SHORTEST_SECRET_BYTES} bytes, such as what "openssl rand -base64 48" prints`,
    more: 'A generated one is [a file](#the-data-directory) of mode 0600',
    isSecret: true,
    value: text().where((given) => Buffer.byteLength(given) >= SHORTEST_SECRET_BYTES),
  }),
  /** null: that of the file `secret.next`, or none. */
  nextSecret: variable({
    name: 'TOLLGATE_SECRET_NEXT',
    meaning: 'the secret that TOLLGATE_SECRET is about to be replaced by: what either encrypted can be read',
    takes: `at least ${SHORTEST_SECRET_BYTES} bytes, such as what "openssl rand -base64 48" prints`,
    more: 'See [another secret](#another-secret)',
    isSecret: true,
    value: text().where((given) => Buffer.byteLength(given) >= SHORTEST_SECRET_BYTES),
  }),
  /** null: as what was imported asks for. */
  saysBalances: variable({
    name: 'TOLLGATE_BALANCE_READOUTS',
    meaning:
      'whether a key can read what it has left at the paths of new-api and one-api, such as /v1/dashboard/billing/usage',
    ifUnset: 'on where keys were imported from either',
    ...onOrOff(),
    more: 'See [moving in](moving-in.md#what-clients-read)',
  }),
  /** An origin with the path that a reverse proxy serves the gateway under, without a trailing slash; null: taken from each request. */
  publicUrl: variable({
    name: 'TOLLGATE_PUBLIC_URL',
    meaning: 'the address shown in the console and in snippets',
    ifUnset: 'taken from the request',
    takes:
      'an origin such as https://tollgate.example.com, or with the path that a reverse proxy serves it under, as https://example.com/gateway; without /v1 or /console',
    more: 'See [under a path](installing.md#under-a-path)',
    value: url('http:', 'https:')
      .where((given) => isPublicUrl(given))
      .as((given) => new URL(given).origin + sitePathOf(given)),
  }),
  configPath: variable({
    name: 'TOLLGATE_CONFIG',
    meaning: 'a declarative file with upstreams, models, groups, plans, accounts and keys, applied at every start',
    takes: 'the path of a YAML file',
    more: 'See [the declarative file](declarative-file.md)',
    value: text(),
  }),
  adminToken: variable({
    name: 'TOLLGATE_ADMIN_TOKEN',
    meaning: 'a Bearer credential with the admin role on the console API, for automation',
    takes: 'at least 32 printable ASCII characters without spaces, such as what "openssl rand -hex 32" prints',
    isSecret: true,
    // What an Authorization header can carry.
    value: textLike(/^[\x21-\x7e]{32,4096}$/),
  }),
  wantsDemo: variable({
    name: 'TOLLGATE_DEMO',
    meaning: 'whether an empty data directory gets the demo objects',
    ...onOrOff(),
    unset: true,
  }),
  /** Each as `address/prefix`. */
  trustedProxies: variable({
    name: 'TOLLGATE_TRUSTED_PROXIES',
    meaning: 'whose X-Forwarded-* headers are believed',
    takes: 'IP addresses and CIDR ranges with commas between, such as 10.0.0.0/8,::1',
    value: text()
      .as((given): readonly (string | null)[] => given.split(',').map(readAddressRange))
      .where((ranges) => !ranges.includes(null))
      .as((ranges): readonly string[] => ranges.filter((range) => range !== null)),
    unset: [],
  }),
  identityTokenFiles: variable({
    name: 'TOLLGATE_IDENTITY_TOKEN_FILES',
    meaning: 'files of identity tokens that credentials of upstreams may be minted with; no other file is read for one',
    takes: 'whole paths with commas between',
    value: text()
      .as((given): readonly string[] => given.split(',').map((path) => path.trim()))
      .where((paths) => paths.every((path) => path.startsWith('/'))),
    ifUnset: 'those of AWS_WEB_IDENTITY_TOKEN_FILE, AZURE_FEDERATED_TOKEN_FILE and ANTHROPIC_IDENTITY_TOKEN_FILE alone',
    unset: [],
  }),
  identityHosts: variable({
    name: 'TOLLGATE_IDENTITY_HOSTS',
    meaning: 'hosts beside the clouds’ own that tokens of the identity of this machine may be sent to',
    takes: 'host names with commas between, such as gateway.example.com, each with a port where it is needed',
    value: text()
      .as((given): readonly string[] => given.split(',').map((host) => host.trim().toLowerCase()))
      .where((hosts) => hosts.every((host) => /^[\w.:[\]-]+$/.test(host))),
    ifUnset: 'the clouds’ own alone',
    unset: [],
  }),
  /** Web pages of any origin may call the gateway. */
  hasCors: variable({
    name: 'TOLLGATE_CORS',
    meaning: 'whether web pages of any origin may call the gateway with an API key; never the console or its API',
    ...onOrOff(),
    more: 'Without cookies (CORS)',
    unset: true,
  }),
  /** null: they are read on the gateway's own port. */
  metricsPort: variable({
    name: 'TOLLGATE_METRICS_PORT',
    meaning: 'a port of its own for /metrics, on HOST; 0 for any free one',
    ifUnset: 'the gateway’s own port has them',
    ...wholeNumber(0, 65_535),
    more: 'See [metrics](metrics.md)',
  }),
  metricsToken: variable({
    name: 'TOLLGATE_METRICS_TOKEN',
    meaning: 'a Bearer credential that reads /metrics from other machines, and nothing else',
    ifUnset: 'none; TOLLGATE_ADMIN_TOKEN reads them too',
    takes: 'at least 32 printable ASCII characters without spaces, such as what "openssl rand -hex 32" prints',
    more: 'See [metrics](metrics.md)',
    isSecret: true,
    value: textLike(/^[\x21-\x7e]{32,4096}$/),
  }),
  logLevel: variable({
    name: 'TOLLGATE_LOG_LEVEL',
    meaning: 'how much is logged',
    more: 'JSON lines on stdout, without secrets',
    ...oneOf(...LOG_LEVELS),
    unset: 'info',
  }),
  shutdownDelayMs: variable({
    name: 'TOLLGATE_SHUTDOWN_DELAY_MS',
    meaning:
      'how long new requests are still served after SIGTERM while /readyz answers 503, so that a load balancer can turn away first, in milliseconds',
    ...wholeNumber(0, LONGEST_SHUTDOWN_DELAY_MS),
    more: 'See [stopping](#stopping)',
    unset: SHUTDOWN_DELAY_MS,
  }),
  drainMs: variable({
    name: 'TOLLGATE_DRAIN_MS',
    meaning: 'how long running requests may go on once the gateway has stopped listening, in milliseconds',
    ...wholeNumber(0, LONGEST_DRAIN_MS),
    unset: 30_000,
  }),
  /** Silence of an upstream in the middle of an answer after which it is given up, in milliseconds. */
  idleTimeoutMs: variable({
    name: 'TOLLGATE_IDLE_TIMEOUT_MS',
    meaning: 'how long an upstream may be silent in the middle of an answer, in milliseconds',
    ...wholeNumber(1, TOTAL_TIMEOUT_MS),
    more: 'Reasoning models pause for minutes',
    unset: IDLE_TIMEOUT_MS,
  }),
  /** Time after which a stream that has nothing to say yet begins with a sign of life, in milliseconds. */
  streamBeginsWithinMs: variable({
    name: 'TOLLGATE_STREAM_BEGINS_WITHIN_MS',
    meaning: 'how long a stream may be silent before its first event: then its headers and a sign of life are sent',
    ...wholeNumber(0, TOTAL_TIMEOUT_MS),
    more: 'Keep it below the time after which what stands in front cuts off a silent response. See [silent streams](#silent-streams)',
    unset: STREAM_BEGINS_WITHIN_MS,
  }),
  workers: variable({
    name: 'TOLLGATE_WORKERS',
    meaning: 'threads that carry requests, all on the one port; auto: one for each core, from three cores on',
    takes: `a whole number from 1 to ${MOST_WORKERS}, or auto`,
    more: 'More than one on Linux alone. See [all cores](#all-cores)',
    value: oneOf('auto').value.or(wholeNumber(1, MOST_WORKERS).value),
    unset: 1,
  }),
  /** Input tokens that are held for where a request brings in what is elsewhere, and its model has no `context_tokens`. */
  heldInputTokens: variable({
    name: 'TOLLGATE_HELD_INPUT_TOKENS',
    meaning:
      'input tokens that money is held for where a request names what is elsewhere (an earlier answer, a file, a picture by its URL) or lets the provider run tools, and its model has no `context_tokens`',
    ...wholeNumber(0, MOST_HELD_TOKENS),
    more: 'See [what is guaranteed](money.md)',
    unset: HELD_INPUT_TOKENS,
  }),
  /** Output tokens that are held for where neither the request nor its model names a limit. */
  heldOutputTokens: variable({
    name: 'TOLLGATE_HELD_OUTPUT_TOKENS',
    meaning:
      'output tokens that money is held for where neither the request names a limit nor its model has `max_output_tokens`',
    ...wholeNumber(0, MOST_HELD_TOKENS),
    more: 'See [what is guaranteed](money.md)',
    unset: HELD_OUTPUT_TOKENS,
  }),
  /** Names in lower case. */
  forwardedHeaders: variable({
    name: 'TOLLGATE_FORWARDED_HEADERS',
    meaning: 'headers of clients that go on to upstreams beside those that always do',
    takes: 'names with commas between, such as x-team,x-trace-id; none of a credential, the connection or an address',
    more: 'See [what clients may send](what-clients-may-send.md)',
    value: text()
      .as((given): readonly string[] => given.split(',').map((name) => name.trim().toLowerCase()))
      .where((names) => names.every(mayGoOn)),
    unset: [],
  }),
  storedIds: variable({
    name: 'TOLLGATE_STORED_IDS',
    meaning: 'which ids of what a provider stores may be sent: all but those of other accounts, own ones alone, or any',
    ...oneOf('unclaimed', 'own', 'any'),
    more: 'See [stored ids](what-clients-may-send.md#stored-ids)',
    unset: 'unclaimed',
  }),
  unpricedTools: variable({
    name: 'TOLLGATE_UNPRICED_TOOLS',
    meaning: 'what becomes of requests for a tool that the provider runs and the model has no fee for',
    ...oneOf('refuse', 'allow'),
    more: 'See [calls](endpoints.md#long-prompts-classes-of-service-places-calls)',
    unset: 'refuse',
  }),
  /** Whether a client that hangs up before the first byte pays for the input that its upstream was sent. */
  chargesUnanswered: variable({
    name: 'TOLLGATE_CHARGE_UNANSWERED',
    meaning: 'whether a client that hangs up before the answer begins is charged for the input that had been sent',
    ...onOrOff(),
    more: 'See [what is guaranteed](money.md)',
    unset: true,
  }),
  stripeApiUrl: variable({
    name: 'TOLLGATE_STRIPE_API_URL',
    meaning: 'where Stripe is asked, for trying payments without it',
    ifUnset: 'https://api.stripe.com',
    takes: 'an http or https URL',
    value: url('http:', 'https:'),
  }),
} as const

function isHost(given: string): boolean {
  return /^(?!-)[a-z0-9.-]{1,253}$/i.test(given) || readAddressRange(given) === `${given}/128`
}

/** None of the gateway's own paths: they are added to it. */
function isPublicUrl(given: string): boolean {
  const [whole, path = ''] = /^[a-z]+:\/\/[^/?#@]+(\/[^?#]*)?$/i.exec(given.replace(/\/+$/, '')) ?? []
  return whole !== undefined && sitePath(path) === path && !/\/(?:v1|console|api|docs)$/.test(path)
}

function isDatabaseUrl(given: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(given) && URL.canParse(given)
}

/** A name and password that can be decoded, and the number of a database where there is one. */
function isRedisUrl(given: string): boolean {
  const { username, password, pathname } = new URL(given)
  return /^(?:[^%]|%[0-9a-f]{2})*$/i.test(username + password) && /^\/?\d{0,9}$/.test(pathname)
}
