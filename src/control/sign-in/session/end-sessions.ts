import type { SignInParts } from '../parts.ts'
import type { OwnEvent } from '../own-event.ts'

/**
 * Ends all sessions of an account, but for `except`. Second steps that are under way end too, and browsers that were spared
 * the second step are asked for it again.
 */
export async function endSessions(
  parts: Pick<SignInParts, 'records'>,
  accountId: string,
  except?: string,
): Promise<void> {
  const own = { field: 'accountId', is: '=', value: accountId } as const
  const others = except === undefined ? [own] : [own, { field: 'id', is: '!=', value: except } as const]
  await parts.records.delete('session', others)
  await parts.records.delete('verification', [{ field: 'content', is: '=', value: accountId }])
}

/** Deletes all access tokens of an account, and writes down that it did. */
export async function endAccessTokens(
  parts: Pick<SignInParts, 'accessTokens'>,
  accountId: string,
  record: (event: OwnEvent) => Promise<void>,
): Promise<void> {
  const count = await parts.accessTokens.deleteAllOf(accountId)
  if (count > 0) await record({ kind: 'access_tokens_ended', accountId, detail: String(count) })
}
