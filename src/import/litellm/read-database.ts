import type { ImportNotes, ImportPlan, ImportSettings } from '../import-plan.ts'
import { type Row, type SourceReader, textIn, words } from '../source.ts'
import { type Payer, planAccounts } from './accounts.ts'
import { BUDGET_COLUMNS, LitellmMoney, BUDGETS, KEYS, TEAMS, USERS } from './budgets.ts'
import { isOfDashboard, keyOf, type ModelAccess } from './keys.ts'

/** What was spent in all, and by model: sums of the past, which limit nothing. */
const PAST = ['total_spend', 'model_spend']
const OF_PAYERS = [...BUDGET_COLUMNS, ...PAST, 'spend', 'models', 'created_at']
const OF_USERS = ['user_email', 'user_alias', 'user_role', 'password', 'sso_user_id', ...OF_PAYERS]
const OF_TEAMS = ['team_alias', 'blocked', ...OF_PAYERS]
const OF_KEYS = words(
  'token key_name key_alias user_id team_id budget_id expires blocked allowed_routes key_type',
  ...OF_PAYERS,
)
/** The name of the account of keys that have neither a user nor a team. */
const NO_ONE = 'keys'

/** What of a plan comes from LiteLLM’s database: who calls, by which keys, and what pays for it. */
export async function readDatabase(
  source: SourceReader,
  about: {
    readonly group: string
    readonly access: ModelAccess
    readonly settings: ImportSettings
    readonly notes: ImportNotes
  },
): Promise<Pick<ImportPlan, 'accounts' | 'keys' | 'plans' | 'subscriptions'>> {
  const { notes, settings } = about
  const money = new LitellmMoney(notes)
  const budgets = await rowsById(source, BUDGETS, { id: 'budget_id', columns: BUDGET_COLUMNS })
  const users = await rowsById(source, USERS, { id: 'user_id', columns: OF_USERS })
  const teams = await rowsById(source, TEAMS, { id: 'team_id', columns: OF_TEAMS })
  const keys = await Array.fromAsync(source.rows(KEYS, OF_KEYS))
  const ownersOf = (row: Row) => {
    const user = users.get(textIn(row, 'user_id'))
    const team = teams.get(textIn(row, 'team_id'))
    const accountId =
      user !== undefined ? userId(user) : team !== undefined ? `team:${textIn(team, 'team_id')}` : NO_ONE
    return { accountId, team, user }
  }
  const planned = keys.flatMap((row) => keyOf(row, { ...about, ownersOf, budgets, money, nowMs: settings.nowMs }) ?? [])
  const needed = new Set(planned.map(({ accountId }) => accountId))
  noteTeams(
    keys.filter((row) => !isOfDashboard(row)),
    { teams, ownersOf, notes },
  )
  const payers = [
    ...[...users.values()].map((row): Payer => ({
      id: userId(row),
      table: USERS,
      row,
      name: textIn(row, 'user_id'),
      title: textIn(row, 'user_alias') || textIn(row, 'user_id'),
    })),
    ...[...teams.values()].map((row): Payer => ({
      id: `team:${textIn(row, 'team_id')}`,
      table: TEAMS,
      row,
      name: textIn(row, 'team_id'),
      title: textIn(row, 'team_alias') || textIn(row, 'team_id'),
    })),
    { id: NO_ONE, table: KEYS, row: {}, name: '', title: 'LiteLLM' },
  ].filter(({ id, table }) => table === USERS || needed.has(id))
  for (const row of users.values()) noteOwnList(row, about)
  const sales = planAccounts(payers, { ...about, money, hasKeys: needed })
  money.finish()
  return { ...sales, keys: planned }
}

function userId(row: Row): string {
  return `user:${textIn(row, 'user_id')}`
}

async function rowsById(
  source: SourceReader,
  table: string,
  { id, columns }: { readonly id: string; readonly columns: readonly string[] },
): Promise<ReadonlyMap<string, Row>> {
  const rows = await Array.fromAsync(source.rows(table, [id, ...columns]))
  return new Map(rows.map((row) => [textIn(row, id), row]))
}

/** A list of models is part of a key here, and of no account. */
function noteOwnList(
  row: Row,
  { access, group, notes }: { readonly access: ModelAccess; readonly group: string; readonly notes: ImportNotes },
): void {
  if (access.of(row) === null) return
  const id = textIn(row, 'user_id')
  const what = `have a list of models, which holds for the keys that are imported: a key that they make here may call all models of the group ${group}`
  notes.note(USERS, id, what)
}

const PAID_BY_USERS =
  'have keys of users, which their accounts pay for: budget and limits of the team do not hold for those'

/** Teams without a key of their own, and those whose keys are paid by their users. */
function noteTeams(
  keys: readonly Row[],
  about: {
    readonly teams: ReadonlyMap<string, Row>
    readonly ownersOf: (row: Row) => { readonly accountId: string }
    readonly notes: ImportNotes
  },
): void {
  const { teams, ownersOf, notes } = about
  const own = new Set(keys.map((row) => ownersOf(row).accountId))
  const ofUsers = new Set(
    keys.filter((row) => ownersOf(row).accountId.startsWith('user:')).map((row) => textIn(row, 'team_id')),
  )
  for (const [id, row] of teams) {
    if (!own.has(`team:${id}`))
      notes.note(TEAMS, id, 'have no keys but those of their users: there is no account for them')
    const isLimited = [...BUDGET_COLUMNS].some((column) => textIn(row, column) !== '')
    if (ofUsers.has(id) && isLimited) notes.note(TEAMS, id, PAID_BY_USERS)
  }
}
