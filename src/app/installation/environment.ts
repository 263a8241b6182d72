import type { MailSettings } from '../../alerts/mail-address.ts'
import { signingKey } from '../../alerts/webhook-signature.ts'
import type { WebhookSettings } from '../../alerts/webhook.ts'
import type { OidcSettings } from '../../control/sign-in.ts'
import type { NanoUsd } from '../../core/money.ts'
import { nearestName } from '../../core/near-names.ts'
import { fileVariableOf, givenSecret } from './secret-files.ts'
import { ALERT_VARIABLES } from './alert-variables.ts'
import { BACKUP_VARIABLES } from './backup-variables.ts'
import { RETENTION_VARIABLES } from './retention-variables.ts'
import { SERVER_VARIABLES } from './server-variables.ts'
import { SIGN_IN_VARIABLES } from './sign-in-variables.ts'
import { TELEMETRY_VARIABLES } from './telemetry-variables.ts'
import type { SettingsOf, Variable } from './variable.ts'
import type { ConfigurationView } from '../../contract/configuration.ts'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** What the environment says, read once at the start. Sizes and times carry their unit; null means "not set". */
export interface Settings
  extends
    SettingsOf<typeof SERVER_VARIABLES>,
    SettingsOf<typeof BACKUP_VARIABLES>,
    SettingsOf<typeof RETENTION_VARIABLES> {
  readonly dataDir: string
  /** null: no alerts go that way. */
  readonly alertWebhook: WebhookSettings | null
  readonly mail: MailSettings | null
  /** null: no sign-in by an OIDC provider. */
  readonly oidc: OidcSettings | null
  /** A balance that falls below it is an alert; null: none is. */
  readonly lowBalance: NanoUsd | null
  readonly telemetry: TelemetrySettings
}

/** What OpenTelemetry is sent, and where. */
export type TelemetrySettings = SettingsOf<typeof TELEMETRY_VARIABLES>

/** The environment as the process was given it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Something the person who starts Tollgate has to correct. The message is one sentence with the remedy in it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

type GivenVariable = ConfigurationView['variables'][number]

const PARTS: Readonly<Record<GivenVariable['part'], Readonly<Record<string, Variable>>>> = {
  server: SERVER_VARIABLES,
  alerts: ALERT_VARIABLES,
  backups: BACKUP_VARIABLES,
  retention: RETENTION_VARIABLES,
  sign_in: SIGN_IN_VARIABLES,
  telemetry: TELEMETRY_VARIABLES,
}

/** Every variable, as the reference and `tollgate help` list them. */
export const VARIABLES: readonly Variable[] = Object.values(PARTS).flatMap((table) => Object.values(table))

/**
 * Reads every variable. An empty value counts as unset, since that is what templates leave behind; white space around
 * a value is dropped. A secret may stand in a file instead: `NAME_FILE` has its path. Throws ConfigurationError for the first value that cannot be used, and for a `TOLLGATE_…` name
 * that means nothing here.
 */
export function readEnvironment(environment: Environment): Settings {
  refuseUnknownNames(environment)
  const server = readVariables(SERVER_VARIABLES, environment)
  const alerts = readVariables(ALERT_VARIABLES, environment)
  const signIn = readVariables(SIGN_IN_VARIABLES, environment)
  if (server.databaseUrl !== null && server.secret === null) {
    const { name, takes } = SERVER_VARIABLES.secret
    throw new ConfigurationError(
      `${name} is unset although ${SERVER_VARIABLES.databaseUrl.name} is set: give every node the same one, ${takes}.`,
    )
  }
  const backups = readVariables(BACKUP_VARIABLES, environment)
  if (server.databaseUrl !== null && backups.backupDir !== null) {
    throw new ConfigurationError(
      `${BACKUP_VARIABLES.backupDir.name} is set although ${SERVER_VARIABLES.databaseUrl.name} is: it is for the embedded database, and PostgreSQL has its own tools.`,
    )
  }
  return {
    ...server,
    dataDir: server.dataDir ?? defaultDataDirectory(environment),
    ...backups,
    ...retentionOf(environment, server.databaseUrl),
    alertWebhook: alertWebhookOf(alerts),
    mail: mailOf(alerts),
    oidc: oidcOf(signIn),
    lowBalance: alerts.lowBalance,
    telemetry: readVariables(TELEMETRY_VARIABLES, environment),
  }
}

function readVariables<const Table extends Readonly<Record<string, Variable>>>(
  table: Table,
  environment: Environment,
): SettingsOf<Table> {
  const read = Object.entries(table).map(([setting, variable]) => [setting, readVariable(variable, environment)])
  return Object.fromEntries(read) as SettingsOf<Table>
}

function readVariable(variable: Variable, environment: Environment): unknown {
  const given = (variable.isSecret ? secretFrom(environment, variable.name) : environment[variable.name])?.trim() ?? ''
  if (given === '') return variable.unset
  const value = variable.value.read(given)
  if (value !== undefined) return value
  throw unusable(variable, given)
}

function unusable({ name, isSecret, takes }: Variable, given: string): ConfigurationError {
  const shown = isSecret ? `set to ${Buffer.byteLength(given)} bytes` : JSON.stringify(given)
  return new ConfigurationError(`${name} is ${shown}, but it must be ${takes}: correct it or unset it.`)
}

/**
 * The text of a variable that is a secret, or of the file that `NAME_FILE` names; undefined: neither is set. Throws
 * ConfigurationError where both are, and for a file that cannot be used.
 */
export function secretFrom(environment: Environment, name: string): string | undefined {
  const given = givenSecret(environment, name)
  if (given.kind === 'refused') throw new ConfigurationError(given.sentence)
  return given.kind === 'given' ? given.text : undefined
}

function alertWebhookOf(alerts: SettingsOf<typeof ALERT_VARIABLES>): WebhookSettings | null {
  const { webhookUrl: url, webhookSecret: secret, webhookFormat: format } = alerts
  if (format !== 'json') return url === null ? null : { url, format, secret }
  const key = secret === null ? null : signingKey(secret)
  if (secret !== null && key === null) throw unusable(ALERT_VARIABLES.webhookSecret, secret)
  if (url === null) return null
  if (key === null) throw missing(ALERT_VARIABLES.webhookSecret, ALERT_VARIABLES.webhookUrl)
  return { url, format, key }
}

function mailOf({ mailServer, mailFrom, mailAuthorities }: SettingsOf<typeof ALERT_VARIABLES>): MailSettings | null {
  if (mailServer === null) return null
  if (mailFrom === null) throw missing(ALERT_VARIABLES.mailFrom, ALERT_VARIABLES.mailServer)
  return { server: mailServer, from: mailFrom, ...(mailAuthorities === null ? {} : { authorities: mailAuthorities }) }
}

function oidcOf(signIn: SettingsOf<typeof SIGN_IN_VARIABLES>): OidcSettings | null {
  const { issuer, clientId, clientSecret, name, trustsEmail } = signIn
  if (issuer === null) return null
  if (clientId === null) throw missing(SIGN_IN_VARIABLES.clientId, SIGN_IN_VARIABLES.issuer)
  if (clientSecret === null) throw missing(SIGN_IN_VARIABLES.clientSecret, SIGN_IN_VARIABLES.issuer)
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host, trustsEmail }
}

function missing({ name, takes }: Variable, because: Variable): ConfigurationError {
  return new ConfigurationError(`${name} is unset although ${because.name} is set: give it ${takes}.`)
}

const VARIABLE_NAMES = VARIABLES.flatMap(({ name, isSecret }) => (isSecret ? [name, fileVariableOf(name)] : [name]))

/** What clients are advised to keep their key in; it may stand in the same environment. */
const CLIENT_VARIABLES = ['TOLLGATE_API_KEY', fileVariableOf('TOLLGATE_API_KEY')]

/** Kubernetes puts these into every pod beside a Service that is called `tollgate`. */
const SERVICE_VARIABLES = /^TOLLGATE_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/

function refuseUnknownNames(environment: Environment): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('TOLLGATE_') || VARIABLE_NAMES.includes(name) || CLIENT_VARIABLES.includes(name)) continue
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

/** What is deleted is archived before, and several nodes have no data directory in common. */
function retentionOf(environment: Environment, databaseUrl: string | null): SettingsOf<typeof RETENTION_VARIABLES> {
  const retention = readVariables(RETENTION_VARIABLES, environment)
  const { keepUsage, keepRefusals, keepTries, keepAudit, archiveDir } = retention
  const archives = [keepUsage, keepRefusals, keepTries, keepAudit].some((days) => days !== null)
  if (databaseUrl === null || archiveDir !== null || !archives) return retention
  throw new ConfigurationError(
    `${RETENTION_VARIABLES.archiveDir.name} is unset although ${SERVER_VARIABLES.databaseUrl.name} and a period are set: name the directory into which records are written before they are deleted.`,
  )
}

/** Every environment variable with what it says here; of a secret, only that it is set. */
export function givenVariables(environment: Environment): GivenVariable[] {
  return Object.entries(PARTS).flatMap(([part, table]) =>
    Object.values(table).map(({ name, meaning, ifUnset, takes, isSecret }) => {
      const given = environment[name]?.trim() ?? ''
      const file = isSecret ? (environment[fileVariableOf(name)]?.trim() ?? '') : ''
      return {
        name,
        part: part as GivenVariable['part'],
        meaning,
        standard: ifUnset,
        takes,
        source: given !== '' ? ('environment' as const) : file === '' ? ('default' as const) : ('secret_file' as const),
        is_secret: isSecret,
        value: isSecret || given === '' ? null : given,
      }
    }),
  )
}

/**
 * Where data are kept while TOLLGATE_DATA_DIR is unset: in a checkout its folder `data`, so that every checkout has its own;
 * for an installed package the user's data home, so that it is the same wherever the command is entered.
 */
export function defaultDataDirectory(
  environment: HomeVariables,
  { isCheckout = IS_CHECKOUT, system = process.platform }: { isCheckout?: boolean; system?: string } = {},
): string {
  if (isCheckout) return './data'
  return join(dataHome(environment, system), 'tollgate')
}

/** The path of data in `./data`, where packages kept theirs until 23 November 2026 and which are not used now; null: there are none. */
export function overlookedData(dataDirectory: string, isThere = existsSync): string | null {
  if (!isAbsolute(dataDirectory)) return null
  return isThere(join('data', 'tollgate.db')) && isThere(join('data', 'secret')) ? './data' : null
}

type HomeVariables = Readonly<Record<string, string | undefined>>

/** A package is published without its sources (bin/tollgate.js goes by the same). */
const IS_CHECKOUT = existsSync(new URL('../../../src', import.meta.url))

function dataHome(environment: HomeVariables, system: string): string {
  // A relative path there is to be ignored (XDG Base Directory Specification).
  const given = environment['XDG_DATA_HOME'] ?? ''
  if (isAbsolute(given)) return given
  const home = environment['HOME'] ?? ''
  const user = isAbsolute(home) ? home : homedir()
  return system === 'win32'
    ? (environment['LOCALAPPDATA'] ?? join(user, 'AppData', 'Local'))
    : join(user, '.local', 'share')
}
