import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../../core/bounds.ts'
import type { ControlStores } from '../parts.ts'

/** A line of addresses to invite. */
export interface InvitedLine {
  /** The line that was sent, without spaces around it. */
  readonly email: string
  /** Why it gets no invitation; null: it gets one. */
  readonly problem: 'not_an_address' | 'repeated' | 'has_account' | null
}

const address = z.email().max(BOUNDS.account.email.most)

/** Reads addresses as they were typed: each line stays, in its order, with what is wrong with it. */
export async function addressesIn(
  sent: readonly string[],
  { accounts }: Pick<ControlStores, 'accounts'>,
): Promise<readonly InvitedLine[]> {
  const seen = new Set<string>()
  const lines: InvitedLine[] = []
  for (const each of sent) {
    const email = each.trim()
    const key = email.toLowerCase()
    const isRepeated = seen.has(key)
    seen.add(key)
    lines.push({ email, problem: isRepeated ? 'repeated' : await problemOf(email, accounts) })
  }
  return lines
}

async function problemOf(email: string, accounts: ControlStores['accounts']): Promise<InvitedLine['problem']> {
  if (!address.safeParse(email).success) return 'not_an_address'
  return (await accounts.findByEmail(email)) === null ? null : 'has_account'
}
