import { z } from 'zod'
import { HELD_OUTPUT_TOKENS_LIMIT } from '../../core/limits.ts'
import { parseUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { NanoUsd } from '../../core/money.ts'
import { readAddressRange } from '../../access/address-range.ts'
import { readMailSender, readMailServer } from '../../alerts/mail-address.ts'
import type { MailSettings } from '../../alerts/mail-address.ts'
import { signingKey } from '../../alerts/webhook-signature.ts'
import type { OidcSettings } from '../../control/sign-in.ts'
import type { WebhookSettings } from '../../alerts/webhook.ts'
import { usd } from '../declarative/fields.ts'
import { nearestName } from '../../core/near-names.ts'

/** What the environment says, read once at the start. Sizes and times carry their unit; null means "not set". */
export interface Settings {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly dataDir: string
  /** null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
  readonly redisUrl: string | null
  /** null: the one in the data directory. */
  readonly secret: string | null
  /** An origin, without a trailing slash; null: taken from each request. */
  readonly publicUrl: string | null
  readonly configPath: string | null
  readonly adminToken: string | null
  readonly wantsDemo: boolean
  /** Each as `address/prefix`. */
  readonly trustedProxies: readonly string[]
  /** Web pages of any origin may call the gateway. */
  readonly hasCors: boolean
  readonly logLevel: LogLevel
  readonly drainMs: number
  /** Output tokens that are held at most for a request that is not streamed. */
  readonly heldOutputTokens: number
  /** null: no alerts go that way. */
  readonly alertWebhook: WebhookSettings | null
  readonly mail: MailSettings | null
  /** null: no sign-in by an OIDC provider. */
  readonly oidc: OidcSettings | null
  /** A balance that falls below it is an alert; null: none is. */
  readonly lowBalance: NanoUsd | null
}

export type LogLevel = (typeof LOG_LEVELS)[number]

/** The environment as the process was given it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Something the person who starts Tollgate has to correct. The message is one sentence with the remedy in it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/**
 * Reads every variable. An empty value counts as unset, since that is what templates leave behind; white space around
 * a value is dropped. Throws ConfigurationError for the first value that cannot be used, and for a `TOLLGATE_…` name
 * that means nothing here.
 */
export function readEnvironment(environment: Environment): Settings {
  refuseUnknownNames(environment)
  const given = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, environment[name]?.trim() || null]))
  const parsed = z.object(parsers).safeParse(given)
  if (!parsed.success) throw refusal(String(parsed.error.issues[0]?.path[0]), given)
  const values = parsed.data
  if (values.DATABASE_URL !== null && values.TOLLGATE_SECRET === null) {
    throw new ConfigurationError(
      `TOLLGATE_SECRET is unset although DATABASE_URL is set: give every node the same one, ${VARIABLES.TOLLGATE_SECRET.takes}.`,
    )
  }
  const lowBalance = values.TOLLGATE_LOW_BALANCE_USD ?? parseUsd('1')
  return {
    host: values.HOST ?? '127.0.0.1',
    port: values.PORT ?? 8787,
    dataDir: values.TOLLGATE_DATA_DIR ?? './data',
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    secret: values.TOLLGATE_SECRET,
    publicUrl: values.TOLLGATE_PUBLIC_URL,
    configPath: values.TOLLGATE_CONFIG,
    adminToken: values.TOLLGATE_ADMIN_TOKEN,
    wantsDemo: values.TOLLGATE_DEMO ?? true,
    trustedProxies: values.TOLLGATE_TRUSTED_PROXIES ?? [],
    hasCors: values.TOLLGATE_CORS ?? true,
    logLevel: values.TOLLGATE_LOG_LEVEL ?? 'info',
    drainMs: values.TOLLGATE_DRAIN_MS ?? 30_000,
    heldOutputTokens: values.TOLLGATE_HELD_OUTPUT_TOKENS ?? HELD_OUTPUT_TOKENS_LIMIT,
    alertWebhook: alertWebhookOf(values),
    mail: mailOf(values),
    oidc: oidcOf(values),
    lowBalance: lowBalance === ZERO_NANO_USD ? null : lowBalance,
  }
}

/** One environment variable, as the reference and `tollgate help` show it. */
export interface Variable {
  readonly meaning: string
  /** What holds while it is unset. */
  readonly ifUnset: string
  /** What it takes; ends the sentence that refuses a value. */
  readonly takes: string
  /** Its value is never shown. */
  readonly isSecret: boolean
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const LONGEST_DRAIN_MS = 3_600_000
const MOST_HELD_OUTPUT_TOKENS = 1_000_000
const SHORTEST_SECRET_BYTES = 32

function wholeNumber(largest: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((number) => number <= largest)
}

function onOrOff() {
  return z.enum(['1', '0', 'true', 'false']).transform((text) => text === '1' || text === 'true')
}

function url(...schemes: readonly string[]) {
  return z.string().refine((text) => {
    const parsed = URL.parse(text)
    return parsed !== null && schemes.includes(parsed.protocol) && parsed.hostname !== ''
  })
}

/** What `meaningOf` makes of it; it returns null for what cannot be used. */
function read<Value>(meaningOf: (text: string) => Value | null) {
  return z
    .string()
    .transform(meaningOf)
    .refine((value) => value !== null)
    .transform((value) => value as NonNullable<Value>)
}

function isHost(text: string): boolean {
  return /^(?!-)[a-z0-9.-]{1,253}$/i.test(text) || readAddressRange(text) === `${text}/128`
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text)
}

const parsers = {
  HOST: z.string().refine(isHost).nullable(),
  PORT: wholeNumber(65_535).nullable(),
  TOLLGATE_DATA_DIR: z.string().nullable(),
  DATABASE_URL: z.string().refine(isDatabaseUrl).nullable(),
  REDIS_URL: url('redis:', 'rediss:', 'valkey:', 'valkeys:').nullable(),
  TOLLGATE_SECRET: z
    .string()
    .refine((text) => Buffer.byteLength(text) >= SHORTEST_SECRET_BYTES)
    .nullable(),
  TOLLGATE_PUBLIC_URL: url('http:', 'https:')
    .refine((text) => /^[a-z]+:\/\/[^/?#@]+\/?$/i.test(text))
    .transform((text) => new URL(text).origin)
    .nullable(),
  TOLLGATE_CONFIG: z.string().nullable(),
  // What an Authorization header can carry.
  TOLLGATE_ADMIN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,4096}$/)
    .nullable(),
  TOLLGATE_DEMO: onOrOff().nullable(),
  TOLLGATE_TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map(readAddressRange))
    .refine((ranges) => !ranges.includes(null))
    .transform((ranges) => ranges.filter((range) => range !== null))
    .nullable(),
  TOLLGATE_CORS: onOrOff().nullable(),
  TOLLGATE_LOG_LEVEL: z.enum(LOG_LEVELS).nullable(),
  TOLLGATE_DRAIN_MS: wholeNumber(LONGEST_DRAIN_MS).nullable(),
  TOLLGATE_HELD_OUTPUT_TOKENS: wholeNumber(MOST_HELD_OUTPUT_TOKENS).nullable(),
  TOLLGATE_ALERT_WEBHOOK_URL: url('http:', 'https:').nullable(),
  TOLLGATE_ALERT_WEBHOOK_SECRET: read(signingKey).nullable(),
  TOLLGATE_SMTP_URL: read(readMailServer).nullable(),
  TOLLGATE_MAIL_FROM: read(readMailSender).nullable(),
  TOLLGATE_LOW_BALANCE_USD: usd().nullable(),
  TOLLGATE_OIDC_ISSUER: url('http:', 'https:').nullable(),
  TOLLGATE_OIDC_CLIENT_ID: z.string().max(500).nullable(),
  TOLLGATE_OIDC_CLIENT_SECRET: z.string().max(4096).nullable(),
  TOLLGATE_OIDC_NAME: z.string().max(50).nullable(),
} as const

type VariableName = keyof typeof parsers
type Values = z.output<z.ZodObject<typeof parsers>>

/** Every variable with its meaning: the reference in the docs and `tollgate help` are made from it. */
export const VARIABLES: Readonly<Record<VariableName, Variable>> = {
  HOST: {
    meaning: 'the address it listens on; 0.0.0.0 for all',
    ifUnset: '127.0.0.1',
    takes: 'an IP address or a host name, without a port',
    isSecret: false,
  },
  PORT: {
    meaning: 'the port it listens on; 0 for any free one',
    ifUnset: '8787',
    takes: 'a whole number from 0 to 65535',
    isSecret: false,
  },
  TOLLGATE_DATA_DIR: {
    meaning: 'the directory of the embedded database and the generated secret',
    ifUnset: './data',
    takes: 'a path',
    isSecret: false,
  },
  DATABASE_URL: {
    meaning: 'PostgreSQL instead of the embedded database',
    ifUnset: 'embedded SQLite',
    takes: 'a URL such as postgres://user:password@host:5432/tollgate',
    isSecret: true,
  },
  REDIS_URL: {
    meaning: 'Redis or Valkey, for exact rate and concurrency limits over many nodes',
    ifUnset: 'counters in this process',
    takes: 'a URL such as redis://host:6379',
    isSecret: true,
  },
  TOLLGATE_SECRET: {
    meaning: 'hashes API keys and encrypts upstream credentials; required with DATABASE_URL, the same on every node',
    ifUnset: 'generated once into the data directory',
    takes: `at least ${SHORTEST_SECRET_BYTES} bytes, such as what "openssl rand -base64 48" prints`,
    isSecret: true,
  },
  TOLLGATE_PUBLIC_URL: {
    meaning: 'the origin shown in the console and in snippets',
    ifUnset: 'taken from the request',
    takes: 'an origin such as https://tollgate.example.com, without a path',
    isSecret: false,
  },
  TOLLGATE_CONFIG: {
    meaning: 'a declarative file with upstreams, models, groups, plans, accounts and keys, applied at every start',
    ifUnset: 'none',
    takes: 'the path of a YAML file',
    isSecret: false,
  },
  TOLLGATE_ADMIN_TOKEN: {
    meaning: 'a Bearer credential with the admin role on the console API, for automation',
    ifUnset: 'none',
    takes: 'at least 32 printable ASCII characters without spaces, such as what "openssl rand -hex 32" prints',
    isSecret: true,
  },
  TOLLGATE_DEMO: {
    meaning: 'whether an empty data directory gets the demo objects',
    ifUnset: '1',
    takes: '1 or 0',
    isSecret: false,
  },
  TOLLGATE_TRUSTED_PROXIES: {
    meaning: 'whose X-Forwarded-* headers are believed',
    ifUnset: 'none',
    takes: 'IP addresses and CIDR ranges with commas between, such as 10.0.0.0/8,::1',
    isSecret: false,
  },
  TOLLGATE_CORS: {
    meaning: 'whether web pages of any origin may call the gateway with an API key; never the console or its API',
    ifUnset: '1',
    takes: '1 or 0',
    isSecret: false,
  },
  TOLLGATE_LOG_LEVEL: {
    meaning: 'how much is logged',
    ifUnset: 'info',
    takes: `one of ${LOG_LEVELS.join(', ')}`,
    isSecret: false,
  },
  TOLLGATE_DRAIN_MS: {
    meaning: 'how long running streams may go on after SIGTERM, in milliseconds',
    ifUnset: '30000',
    takes: `a whole number from 0 to ${LONGEST_DRAIN_MS}`,
    isSecret: false,
  },
  TOLLGATE_HELD_OUTPUT_TOKENS: {
    meaning: 'output tokens that money is held for at most before a request that is not streamed',
    ifUnset: String(HELD_OUTPUT_TOKENS_LIMIT),
    takes: `a whole number from 0 to ${MOST_HELD_OUTPUT_TOKENS}`,
    isSecret: false,
  },
  TOLLGATE_ALERT_WEBHOOK_URL: {
    meaning: 'where budget alerts are posted, signed',
    ifUnset: 'none are posted',
    takes: 'an http or https URL',
    // Many receivers know their sender by the path alone.
    isSecret: true,
  },
  TOLLGATE_ALERT_WEBHOOK_SECRET: {
    meaning: 'signs what is posted there; required with TOLLGATE_ALERT_WEBHOOK_URL',
    ifUnset: 'none',
    takes:
      'at least 24 printable ASCII characters without spaces, or whsec_ and 24 to 64 bytes in base64, such as what "echo whsec_$(openssl rand -base64 32)" prints',
    isSecret: true,
  },
  TOLLGATE_SMTP_URL: {
    meaning: 'the mail server that budget alerts to account holders go through',
    ifUnset: 'no mail is sent',
    takes: 'a URL such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com, without a path',
    isSecret: true,
  },
  TOLLGATE_MAIL_FROM: {
    meaning: 'the sender of mail; required with TOLLGATE_SMTP_URL',
    ifUnset: 'none',
    takes: 'an email address, alone or as in Tollgate <alerts@example.com>',
    isSecret: false,
  },
  TOLLGATE_LOW_BALANCE_USD: {
    meaning: 'a balance that falls below it is an alert; 0 for none',
    ifUnset: '1',
    takes: 'an amount of USD such as 2.50, zero or more',
    isSecret: false,
  },
  TOLLGATE_OIDC_ISSUER: {
    meaning: 'an OIDC provider that people may sign in by; its redirect URI is /api/auth/callback/oidc here',
    ifUnset: 'none',
    takes: 'the issuer, a URL such as https://login.example.com, without /.well-known',
    isSecret: false,
  },
  TOLLGATE_OIDC_CLIENT_ID: {
    meaning: 'the id of this gateway at the OIDC provider; required with TOLLGATE_OIDC_ISSUER',
    ifUnset: 'none',
    takes: 'the client id that the provider gave',
    isSecret: false,
  },
  TOLLGATE_OIDC_CLIENT_SECRET: {
    meaning: 'its secret at the OIDC provider; required with TOLLGATE_OIDC_ISSUER',
    ifUnset: 'none',
    takes: 'the client secret that the provider gave',
    isSecret: true,
  },
  TOLLGATE_OIDC_NAME: {
    meaning: 'what the console calls the OIDC provider: Sign in with …',
    ifUnset: 'the host of TOLLGATE_OIDC_ISSUER',
    takes: 'a name of at most 50 characters',
    isSecret: false,
  },
}

const VARIABLE_NAMES = Object.keys(parsers)

function alertWebhookOf(values: Values): WebhookSettings | null {
  const { TOLLGATE_ALERT_WEBHOOK_URL: address, TOLLGATE_ALERT_WEBHOOK_SECRET: key } = values
  if (address === null) return null
  if (key === null) throw missing('TOLLGATE_ALERT_WEBHOOK_SECRET', 'TOLLGATE_ALERT_WEBHOOK_URL')
  return { url: address, key }
}

function mailOf({ TOLLGATE_SMTP_URL: server, TOLLGATE_MAIL_FROM: from }: Values): MailSettings | null {
  if (server === null) return null
  if (from === null) throw missing('TOLLGATE_MAIL_FROM', 'TOLLGATE_SMTP_URL')
  return { server, from }
}

function oidcOf(values: Values): OidcSettings | null {
  const { TOLLGATE_OIDC_ISSUER: issuer, TOLLGATE_OIDC_CLIENT_ID: clientId } = values
  const { TOLLGATE_OIDC_CLIENT_SECRET: clientSecret, TOLLGATE_OIDC_NAME: name } = values
  if (issuer === null) return null
  if (clientId === null) throw missing('TOLLGATE_OIDC_CLIENT_ID', 'TOLLGATE_OIDC_ISSUER')
  if (clientSecret === null) throw missing('TOLLGATE_OIDC_CLIENT_SECRET', 'TOLLGATE_OIDC_ISSUER')
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host }
}

function missing(name: VariableName, because: VariableName): ConfigurationError {
  return new ConfigurationError(`${name} is unset although ${because} is set: give it ${VARIABLES[name].takes}.`)
}

function refusal(name: string, given: Record<string, string | null>): ConfigurationError {
  const value = given[name] ?? ''
  const variable = Object.entries(VARIABLES).find(([known]) => known === name)?.[1]
  const shown = variable?.isSecret === false ? JSON.stringify(value) : `set to ${Buffer.byteLength(value)} bytes`
  return new ConfigurationError(`${name} is ${shown}, but it takes ${variable?.takes}: correct it or unset it.`)
}

/** What clients are advised to keep their key in; it may stand in the same environment. */
const CLIENT_VARIABLES = ['TOLLGATE_API_KEY']

/** Kubernetes puts these into every pod beside a Service that is called `tollgate`. */
const SERVICE_VARIABLES = /^TOLLGATE_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/

function refuseUnknownNames(environment: Environment): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('TOLLGATE_') || name in parsers || CLIENT_VARIABLES.includes(name)) continue
    if (SERVICE_VARIABLES.test(name) || (/^TOLLGATE_PORT$/.test(name) && value?.includes('://') === true)) continue
    const nearest = nearestName(stem(name), VARIABLE_NAMES.map(stem))
    const meant = VARIABLE_NAMES.find((known) => stem(known) === nearest)
    const remedy = meant === undefined ? 'see "tollgate help" for those there are.' : `did you mean ${meant}?`
    throw new ConfigurationError(`${name} is not a variable of Tollgate: ${remedy}`)
  }
}

/** The common beginning would make all names look alike. */
function stem(name: string): string {
  return name.replace(/^TOLLGATE_/, '')
}
