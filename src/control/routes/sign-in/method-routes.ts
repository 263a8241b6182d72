import type { SignInMethods, SignInOptions } from '../../../contract/sign-in.ts'
import { passwordBounds } from '../../../access/password.ts'
import { tell } from '../../sign-in/session/begin-session.ts'
import { type Answer, type Call, type Route, signedInOf } from '../../sign-in/call.ts'
import { notFound, SignInRefusal } from '../../sign-in/refusal.ts'

/** Which ways in there are: here, and for the own account. */
export const METHOD_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/options', access: 'anyone', body: null, answer: options },
  {
    method: 'GET',
    path: '/methods',
    access: 'signed_in',
    body: null,
    answer: async (call) => ({ status: 200, body: await methodsOf(call) }),
  },
  { method: 'DELETE', path: '/oidc', access: 'fresh', body: null, answer: unlink },
  { method: 'DELETE', path: '/passkeys/{id}', access: 'fresh', body: null, answer: removePasskey },
]

const PASSKEYS_SHOWN = 50

async function options(call: Call): Promise<Answer> {
  const { parts, from } = call
  const body: SignInOptions = {
    registration: await parts.registration(),
    has_mail_server: parts.mail !== null,
    oidc: parts.oidc === null ? null : { name: parts.oidc.name },
    passkeys: { impossible_because: whyNoPasskeys(from.origin) },
    password: passwordBounds,
  }
  return { status: 200, body }
}

/**
 * Browsers offer passkeys in secure contexts alone (https, or this very machine), and for domains alone: an address can be
 * nobody's relying party (Web Authentication Level 2, 5.1.3 and "effective domain").
 */
export function whyNoPasskeys(origin: string): SignInOptions['passkeys']['impossible_because'] {
  const { protocol, hostname } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = /^(\d{1,3}\.){3}\d{1,3}$/.test(hostname) || hostname.startsWith('[')
  if (protocol === 'https:' || isLocal) return isAddress ? 'ip_address' : null
  return isLoopback(hostname) ? 'ip_address' : 'insecure_context'
}

function isLoopback(hostname: string): boolean {
  return hostname.startsWith('127.') || hostname === '[::1]'
}

export async function methodsOf(call: Call): Promise<SignInMethods> {
  const { parts } = call
  const { account } = signedInOf(call)
  const own = await parts.accounts.findOwn(account.id)
  const mine = { where: [{ field: 'accountId', is: '=', value: account.id }], limit: PASSKEYS_SHOWN } as const
  const passkeys = await parts.records.select('passkey', mine)
  const [identity] = await parts.records.select('identity', mine)
  const hasSecondFactor = own?.profile.hasSecondFactor ?? false
  return {
    has_password: own?.hasPassword ?? false,
    totp: { is_on: hasSecondFactor, backup_codes_left: hasSecondFactor ? await backupCodesLeft(call) : null },
    passkeys: passkeys.map((passkey) => ({
      id: String(passkey['id']),
      name: String(passkey['name'] ?? ''),
      created_at: passkey['createdAt'] == null ? null : new Date(Number(passkey['createdAt'])).toISOString(),
      is_synced: passkey['isSynced'] === true,
    })),
    oidc: identity === undefined ? null : { linked_at: new Date(Number(identity['createdAt'])).toISOString() },
  }
}

async function backupCodesLeft(call: Call): Promise<number> {
  const authenticator = await call.authenticators.of({ isSecure: call.from.origin.startsWith('https:') })
  const answer = await authenticator.api.viewBackupCodes({ body: { userId: signedInOf(call).account.id } })
  return answer.backupCodes.length
}

async function unlink(call: Call): Promise<Answer> {
  const { account } = signedInOf(call)
  await requireAnotherWayIn(call, 'oidc')
  const removed = await call.parts.records.delete('identity', [{ field: 'accountId', is: '=', value: account.id }])
  if (removed.length === 0) throw notFound('link to the provider')
  tell(call, { kind: 'identity_unlinked', accountId: account.id })
  return { status: 200, body: await methodsOf(call) }
}

async function removePasskey(call: Call): Promise<Answer> {
  const { account } = signedInOf(call)
  const { passkeys } = await methodsOf(call)
  if (passkeys.every(({ id }) => id !== call.id)) throw notFound('passkey')
  if (passkeys.length === 1) await requireAnotherWayIn(call, 'passkey')
  await call.parts.records.delete('passkey', [
    { field: 'id', is: '=', value: call.id },
    { field: 'accountId', is: '=', value: account.id },
  ])
  tell(call, { kind: 'passkey_removed', accountId: account.id })
  return { status: 200, body: await methodsOf(call) }
}

/** Nobody locks themselves out. */
async function requireAnotherWayIn(call: Call, without: 'oidc' | 'passkey'): Promise<void> {
  const { has_password: hasPassword, passkeys, oidc } = await methodsOf(call)
  const hasOther = without === 'oidc' ? passkeys.length > 0 : oidc !== null
  if (hasPassword || hasOther) return
  throw new SignInRefusal('last_way_in', 'This is the only way into your account: set a password first.')
}
