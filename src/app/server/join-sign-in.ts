import { randomBytes } from 'node:crypto'
import type { AuditStore, AuditVia } from '../../access/audit.ts'
import { readSettings } from '../../control/settings/instance-settings.ts'
import { createSignIn } from '../../control/sign-in.ts'
import type { SignIn, SignInEvent, SignInMail, SignInDependencies, SignInStores } from '../../control/sign-in.ts'
import { ClockWatch } from '../../cluster/clock-watch.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import type { Logger } from '../../core/log.ts'
import type { TransactionStores, Store } from '../../store/store.ts'
import type { Settings } from '../installation/environment.ts'
import type { SignInKeys } from '../installation/control-hashes.ts'
import { whyUnreachable } from '../../upstreams/why-unreachable.ts'
import { sendMail } from '../../alerts/send-mail.ts'

export interface JoinSignInOptions {
  readonly settings: Settings
  readonly store: Store
  readonly keys: SignInKeys
  readonly clock: Clock
  readonly log: Logger
}

/** Joins sign-in from its parts, as the console API takes it. */
export function joinSignIn(options: JoinSignInOptions): SignIn {
  const { settings, store, keys, clock, log } = options
  return createSignIn({
    ...signInStores(store),
    change: (work) =>
      store.together((stores) => work(signInStores(stores), (event) => writeDown(event, stores.audit, clock))),
    settings: store.settings,
    clock,
    randomBytes,
    ...keys,
    registration: async () => (await readSettings(store.settings)).registration,
    wantsDemo: settings.wantsDemo,
    oidc: settings.oidc,
    network: providerNetwork(clock),
    mail: mailFor(options),
    onEvent(event) {
      writeDown(event, store.audit, clock).catch((error: unknown) =>
        log.error({ err: error }, 'failed to write an audit entry'),
      )
    },
    onRefusal: (what) => log.info(what.slice(0, REFUSAL_LOGGED)),
    onError: (what, error) => log.error({ err: error }, what),
  })
}

/** What asking an OIDC provider needs; compares the clock of this machine with the provider's. */
export function providerNetwork(clock: Clock): SignInDependencies['network'] {
  const watch = new ClockWatch(clock)
  return { whyUnreachable, askDate: (host) => watch.ask(host), clockAheadMs: () => watch.read().providers }
}

/** Characters of one refusal that are logged: strangers cause them. */
const REFUSAL_LOGGED = 800

/**
 * Links are only mailed where an admin set the origin of the server. Else the origin of a mailed link
 * would be what another client's request claims, and a link for a new password could be made to lead to them.
 */
function mailFor({ settings, log }: JoinSignInOptions): SignInMail | null {
  const { mail: server, publicUrl } = settings
  if (server === null) return null
  if (publicUrl !== null) return { send: (mail) => sendMail(server, mail) }
  log.warn('TOLLGATE_PUBLIC_URL is unset, so sign-in links are not mailed: an admin can copy them')
  return null
}

/** The stores of sign-in, by its names for them. */
export function signInStores(store: TransactionStores): SignInStores {
  const { accounts, signInRecords: records, signInLinks: links, accessTokens } = store
  const { ledger, subscriptions, plans, groups } = store
  return { accounts, records, links, accessTokens, ledger, subscriptions, plans, groups }
}

async function writeDown(event: SignInEvent, audit: AuditStore, clock: Clock): Promise<void> {
  const { kind, accountId, byAccountId, address, detail, changes } = event
  const actor = byAccountId ?? (kind === 'sign_in_refused' ? null : accountId)
  const via: AuditVia = actor === null ? 'none' : 'session'
  await audit.write({
    id: newId('aud', clock.now()),
    createdAt: clock.now(),
    actor: actor ?? 'anonymous',
    via,
    address,
    action: `sign_in.${kind}`,
    subject: accountId,
    accountId,
    changes: { ...(detail === null ? {} : { detail: { before: null, after: detail } }), ...changes },
  })
}
