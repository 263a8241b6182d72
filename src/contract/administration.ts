import { z } from '@hono/zod-openapi'
import { ALERT_KIND_NAMES } from '../core/alert-kinds.ts'
import { ALERT_PLACEHOLDERS, ALERT_TEMPLATE_BYTES, objectionToAlertTemplate } from '../core/alert-template.ts'
import { BOUNDS } from '../core/bounds.ts'
import { setLimits } from './objects/account-limits.ts'
import { customImport } from './setup.ts'
import { givenName, listOf, pageQuery, textOf, time, version, wholeNumber } from './wire-values.ts'

/** `GET /api/audit` */
export const auditQuery = pageQuery.extend({
  actor: z
    .string()
    .max(254)
    .optional()
    .describe('an account by its id or email address, `admin_token`, `cli`, `file` or `anonymous`'),
  action: z.string().max(64).optional().describe('with a dot at its end, all that begin so: `key.`'),
  address: z.string().max(64).optional().describe('from which it was done'),
  subject: z.string().max(64).optional(),
  account: z.string().max(64).optional().describe('whose things were changed: its id'),
  from: time.optional(),
  to: time.optional(),
})

/** The way in which something was done. `cli`: the command line. `file`: the declarative file. `none`: without signing in, or by itself. */
export const auditVia = z.enum(['session', 'access_token', 'admin_token', 'cli', 'file', 'none'])

/** Who did what, from where. */
export const auditEntry = z
  .object({
    id: z.string(),
    created_at: time,
    actor: z
      .string()
      .describe(
        'an account id, `admin_token`, `cli` (the command line), `file` (the declarative file), or `anonymous` (a failed sign-in)',
      ),
    actor_email: z.string().nullable(),
    via: auditVia,
    address: z.string().describe('empty: on the host of the gateway, or by the gateway itself'),
    /** Like `key.create`. */
    action: z.string(),
    /** The id of what was changed. */
    subject: z.string().nullable(),
    subject_name: z
      .string()
      .nullable()
      .describe('what it is called now, of an account its email address; null: it has no name, or is gone'),
    account_id: z.string().nullable(),
    account_email: z.string().nullable().describe('of the account that it belongs to; null: none, or it was closed'),
    /** The fields that were changed, before and after; nothing secret. */
    changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
  })
  .openapi('AuditEntry')

const SUPPORT_ADDRESS_FORM = 'must be an email address, or a URL that begins with https://'

function isSupportAddress(text: string): boolean {
  return z.email().safeParse(text).success || URL.parse(text)?.protocol === 'https:'
}

const alertTemplate = z.record(z.string(), z.unknown()).superRefine((template, issues) => {
  const message = objectionToAlertTemplate(template)
  if (message !== null) issues.addIssue({ code: 'custom', message })
})

/** `POST /api/alerts/preview`: what a template makes of an alert whose names try to break it. */
export const alertPreviewQuestion = z.object({ template: alertTemplate }).strict()
export const alertPreview = z.object({
  body: z.record(z.string(), z.unknown()).describe('what would be posted'),
})

/** `GET /api/settings`, and `PATCH` of any of them. */
export const settings = z.object({
  /** Shown as the name of the server. */
  site_name: givenName(BOUNDS.settings.site_name),
  /** Who may open an account. */
  registration: z.enum(['closed', 'invitation', 'open']),
  /** What people import a key into beside the built-in list. Placeholders: {origin} {base_url} {key} {model} {name}. */
  imports: listOf(customImport, BOUNDS.settings.imports),
  /** Ids of the built-in import targets that are not offered here. */
  hidden_imports: listOf(textOf(BOUNDS.settings.hidden_import), BOUNDS.settings.hidden_imports),
  /** Where one can buy balance, shown where it has run out; null: nowhere. */
  top_up_url: z
    .url({ protocol: /^https?$/ })
    .max(BOUNDS.settings.top_up_url.most)
    .nullable(),
  /** Whom people write to about what only an admin can fix; see `isSupportAddress`. null: no address is given. */
  support_address: z
    .string()
    .max(BOUNDS.settings.support_address.most)
    .refine(isSupportAddress, { message: SUPPORT_ADDRESS_FORM })
    .nullable()
    .describe('in a URL, {subject} and {body} stand for the message'),
  /** What alerts are posted as, instead of the body of their webhook's format; null: as the format has it. */
  alert_template: alertTemplate
    .nullable()
    .describe(
      `a JSON object of at most ${ALERT_TEMPLATE_BYTES} bytes, in whose texts these stand for facts of the alert: ${ALERT_PLACEHOLDERS.map((name) => `{{${name}}}`).join(' ')}`,
    ),
  public_models: z
    .boolean()
    .describe('whether a page without sign-in lists the models that any account may call, with prices'),
  public_status: z.boolean().describe('whether a page without sign-in says how well those models were served'),
  public_key_check: z
    .boolean()
    .describe('whether a page without sign-in reads the use and limits of a key to those who paste its secret'),
  capture_requests: z
    .boolean()
    .describe('whether admins may capture what the requests of a key send and get, for a short time'),
  check_models: z
    .boolean()
    .describe('whether each upstream is asked once a day for its list of models, and what changed there is named'),
  device_sign_in: z
    .boolean()
    .describe('whether programs may ask for a sign-in that an account approves in the console, instead of a key'),
  max_devices: wholeNumber(BOUNDS.settings.max_devices).describe(
    'devices that an account is signed in on at once; those that are there stay where it is lowered',
  ),
  device_idle_days: wholeNumber(BOUNDS.settings.device_idle_days).describe(
    'days after its last use when a device is signed out',
  ),
  device_max_days: wholeNumber(BOUNDS.settings.device_max_days).describe(
    'days after its approval when a device is signed out, however much it is used',
  ),
  account_limits: setLimits
    .nullable()
    .describe('of every account, where neither it nor its plans set another; null: none'),
})

/** `GET /api/settings`. */
export const settingsRead = settings.extend({ version }).openapi('Settings')

export const settingsPatch = settings.partial().strict()

/** `GET /api/instance`, without signing in: what the sign-in page has to know. */
export const instanceInfo = z.object({
  site_name: z.string(),
  registration: z.enum(['closed', 'invitation', 'open']),
  /** Where the API answers, as clients are to be given it. */
  origin: z.string(),
  can_mail: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  /** null: passkeys work here; else why not. */
  passkeys_unavailable: z.enum(['insecure_context', 'address_without_name']).nullable(),
  /** Where one can buy balance; null: nowhere. */
  top_up_url: z.string().nullable(),
  /** Where the admins are reached: an email address, or an https URL that may hold {subject} and {body}; null: not given. */
  support_address: z.string().nullable(),
  /** The pages that are there without signing in. */
  device_sign_in: z.boolean().describe('whether programs may ask for a sign-in that is approved in the console'),
  public_pages: z.object({ models: z.boolean(), status: z.boolean(), key_check: z.boolean() }),
  demo: z.boolean(),
  version: z.string(),
})

/** `GET /api/alerts` */
export const alertsQuery = pageQuery.extend({
  /** Admins only: another account's. Absent: own. */
  account_id: z.string().max(64).optional(),
})

/** `GET /api/alerts`: the account's alerts, newest first. */
export const alert = z
  .object({
    id: z.string(),
    created_at: time,
    kind: z.enum(ALERT_KIND_NAMES),
    subject_id: z.string(),
    subject_name: z.string(),
    percent: z.number().int().nullable(),
    limit: z.string(),
    used: z.string(),
    resets_at: time.nullable(),
    /** When a key expires or a subscription ends, where that is announced. */
    ends_at: time.nullable(),
    deliveries: z.array(
      z.object({ way: z.enum(['webhook', 'mail']), delivered_at: time.nullable(), failed: z.boolean() }),
    ),
  })
  .openapi('Alert')

export type { AuditAction } from '../core/audit-actions.ts'
export type AuditEntryView = z.output<typeof auditEntry>
export type SettingsView = z.output<typeof settings>
export type SettingsRead = z.output<typeof settingsRead>
export type InstanceInfo = z.output<typeof instanceInfo>
export type AlertView = z.output<typeof alert>
