import type { SessionState, SessionView, SignedInAccount } from '../../../contract/sign-in.ts'
import type { OwnAccount } from '../../../access/account.ts'
import { equal, type SignInRecord } from '../../../access/sign-in-records.ts'
import { freshUntilMs } from './freshness.ts'
import type { SignedIn, SignInParts } from '../parts.ts'
import { notSignedIn } from '../../problem.ts'

/** A session and its account, as the console sees them. */
export async function stateOf(parts: SignInParts, signedIn: SignedIn) {
  const [record] = await parts.records.select('session', { where: equal({ id: signedIn.sessionId }), limit: 1 })
  const own = await parts.accounts.findOwn(signedIn.account.id)
  if (record === undefined || own === null) throw notSignedIn()
  return { session: sessionView(record, signedIn), account: accountView(own) }
}

export const NO_SESSION: SessionState = { session: null, account: null }

/** A session as it is stored. */
export function sessionRecordView(record: SignInRecord) {
  const time = (field: string) => new Date(Number(record[field])).toISOString()
  return {
    id: String(record['id']),
    created_at: time('createdAt'),
    expires_at: time('expiresAt'),
    last_seen_at: time('updatedAt'),
    client: String(record['client']),
    address: String(record['address']),
  }
}

/** A passkey as it is stored. */
export function passkeyView(record: SignInRecord) {
  const { id, name, createdAt } = record
  return {
    id: String(id),
    name: String(name ?? ''),
    created_at: createdAt == null ? null : new Date(Number(createdAt)).toISOString(),
  }
}

/** A session of the account that is signed in. */
export function sessionView(record: SignInRecord, signedIn: SignedIn): SessionView {
  const session = { ...signedIn, signedInAt: Number(record['signedInAt']), beganBy: String(record['beganBy']) }
  return {
    ...sessionRecordView(record),
    fresh_until: new Date(Math.min(freshUntilMs(session), Number(record['expiresAt']))).toISOString(),
    is_current: record['id'] === signedIn.sessionId,
  }
}

function accountView({ account, profile, hasPassword }: OwnAccount): SignedInAccount {
  return {
    id: account.id,
    email: account.email,
    name: profile.name,
    role: account.role,
    is_email_verified: profile.isEmailVerified,
    has_password: hasPassword,
    language: profile.language,
  }
}
