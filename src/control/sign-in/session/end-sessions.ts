import type { SignInParts } from '../parts.ts'

/**
 * Ends all sessions of an account, but for `except`. Second steps that are under way end too, and browsers that were spared
 * the second step are asked for it again.
 */
export async function endSessions(parts: SignInParts, accountId: string, except?: string): Promise<void> {
  const own = { field: 'accountId', is: '=', value: accountId } as const
  const others = except === undefined ? [own] : [own, { field: 'id', is: '!=', value: except } as const]
  await parts.records.delete('session', others)
  await parts.records.delete('verification', [{ field: 'content', is: '=', value: accountId }])
}
