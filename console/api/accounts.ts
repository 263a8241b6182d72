import type { LimitsReport } from '../../src/contract/account-limits.ts'
import type { AccountSignIn } from '../../src/contract/account-sign-in.ts'
import type {
  AccountView,
  InvitationsMadeView,
  InvitationView,
  ListedAccountView,
} from '../../src/contract/accounts.ts'
import type { LedgerDays, LedgerEntryView } from '../../src/contract/billing.ts'
import type { SeeAsGrant } from '../../src/contract/see-as.ts'
import type { LinkMade } from '../../src/contract/sign-in.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import { apiPath, patch, post, read, readKept, remove, request } from './request.ts'

const LATEST_ENTRIES = 20

/** A page of accounts, newest first; the server searches, filters and pages. */
export const accountsQuery = (query: Readonly<Record<string, string>>) =>
  readKept<Page<ListedAccountView>>(['accounts', 'page', query], '/api/accounts', { query })

/** The account of exactly this address; null: there is none. */
export async function accountByEmail(email: string): Promise<AccountView | null> {
  const wanted = email.toLowerCase()
  const { data } = await request<Page<AccountView>>('/api/accounts', { query: { search: wanted, limit: 200 } })
  return data.find((account) => account.email.toLowerCase() === wanted) ?? null
}

export const accountQuery = (id: string) => read<AccountView>(['accounts', 'one', id], apiPath`/api/accounts/${id}`)

/** The newest ledger entries of an account. */
export const accountLedgerQuery = (id: string) =>
  read<Page<LedgerEntryView>>(['accounts', 'ledger', id], apiPath`/api/accounts/${id}/ledger`, {
    query: { limit: LATEST_ENTRIES },
  })

/** The ledger of the last month in which it changed, by days. */
export const accountDaysQuery = (id: string) =>
  read<LedgerDays>(['accounts', 'days', id], '/api/ledger/days', { query: { account_id: id } })

/** The limits that hold for it, and how each stands. */
export const accountLimitsQuery = (id: string) =>
  read<LimitsReport>(['accounts', 'limits', id], apiPath`/api/accounts/${id}/limits`)

/** How its owner signs in, with the sessions. */
export const accountSignInQuery = (id: string) =>
  read<AccountSignIn>(['accounts', 'sign-in', id], apiPath`/api/accounts/${id}/sign-in`)

export const endAccountSession = (id: string, session: string) =>
  remove(apiPath`/api/accounts/${id}/sessions/${session}`)

/** Ends all sessions of an account, and deletes its access tokens unless they are kept. */
export function endAccountSessions(id: string, { keepsTokens }: { readonly keepsTokens: boolean }): Promise<void> {
  return request(apiPath`/api/accounts/${id}/sessions`, {
    method: 'DELETE',
    query: { end_access_tokens: String(!keepsTokens) },
  })
}

export const closeAccount = (id: string, idempotencyKey: string) =>
  post<AccountView>(apiPath`/api/accounts/${id}/close`, undefined, idempotencyKey)

export interface NewCredit {
  /** USD. */
  readonly amount: string
  readonly reason: string
  /** Like the number of an invoice; the same one credits an account once, also when two people send it. Empty: none. */
  readonly reference: string
}

/** `idempotencyKey`: the same for each try to add this credit; without one, only its reference keeps it from being done twice. */
export function creditAccount(
  id: string,
  { amount, reason, reference }: NewCredit,
  idempotencyKey = newIdempotencyKey(),
): Promise<LedgerEntryView> {
  const body = { amount, reason, kind: 'credit', ...(reference === '' ? {} : { reference }) }
  return post(apiPath`/api/accounts/${id}/ledger`, body, idempotencyKey)
}

/** `open_groups`, `multipliers`: all that the account has from now on. `raise`: null ends the one that is given. */
export type AccountChange = Partial<
  Pick<AccountView, 'status' | 'role' | 'limits' | 'raise' | 'open_groups' | 'multipliers'>
>

/** What is left out stays. */
export const changeAccount = (id: string, body: AccountChange, version: string) =>
  patch<AccountView>(apiPath`/api/accounts/${id}`, body, version)

const MOST_AT_ONCE = 2_000
const PAGE = 200

/** The accounts of all pages, as many as can be changed together. */
export async function everyAccount(
  filter: Readonly<Record<string, string>>,
): Promise<{ readonly rows: readonly ListedAccountView[]; readonly isCut: boolean }> {
  const rows: ListedAccountView[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    if (rows.length >= MOST_AT_ONCE) return { rows, isCut: true }
    const query = { ...filter, limit: PAGE, ...(cursor === '' ? {} : { cursor }) }
    const page: Page<ListedAccountView> = await request<Page<ListedAccountView>>('/api/accounts', { query })
    rows.push(...page.data)
    cursor = page.next_cursor
  }
  return { rows, isCut: false }
}

/** A link that is shown once. `url` null: it was shown before. */
export type OneTimeLink = Omit<LinkMade, 'url'> & { readonly url: string | null }

export const makeResetLink = (id: string) => post<OneTimeLink>(apiPath`/api/accounts/${id}/reset-link`)

/** What invitations that are made together have in common. */
export interface InvitationTerms {
  readonly role: AccountView['role']
  /** USD; null: none. */
  readonly credit: string | null
  /** The plan's id; null: none. */
  readonly plan: string | null
  /** Ids of closed groups. */
  readonly open_groups: readonly string[]
  readonly expires_in_hours: number
}

/** An invitation that was made, or why it was not. */
export interface MadeInvitation {
  /** null: anyone who has the link. */
  readonly email: string | null
  readonly problem: InvitationsMadeView['data'][number]['problem']
  /** null: there is none, or it was shown before. */
  readonly url: string | null
  readonly expires_at: string | null
  readonly was_mailed: boolean
}

export interface MadeInvitations {
  readonly rows: readonly MadeInvitation[]
  /** The credit in all. */
  readonly total: string
}

/** One link, which anyone may use. */
export async function inviteOne(terms: InvitationTerms, idempotencyKey: string): Promise<MadeInvitations> {
  const made = await post<OneTimeLink>('/api/invitations', terms, idempotencyKey)
  const { url, expires_at, was_mailed } = made
  return { rows: [{ email: null, problem: null, url, expires_at, was_mailed }], total: terms.credit ?? '0' }
}

export async function inviteMany(
  invitations: InvitationTerms & { readonly emails: readonly string[] },
  idempotencyKey: string,
): Promise<MadeInvitations> {
  const { urls, data, total } = await post<InvitationsMadeView>('/api/invitations/batch', invitations, idempotencyKey)
  const rows = data.map(({ email, problem, was_mailed, invitation }, index): MadeInvitation => {
    return { email, problem, url: urls?.[index] ?? null, expires_at: invitation?.expires_at ?? null, was_mailed }
  })
  return { rows, total }
}

/** Lets this session see the account as its owner does, for a while. */
export const seeAs = (id: string, reason: string) => post<SeeAsGrant>(apiPath`/api/accounts/${id}/see-as`, { reason })

/** The newest invitations, used or not. */
export const invitationsQuery = read<{ readonly data: readonly InvitationView[] }>(
  ['accounts', 'invitations'],
  '/api/invitations',
)

export const withdrawInvitation = (id: string) => remove(apiPath`/api/invitations/${id}`)
