import { ZERO_NANO_USD } from '../core/money.ts'
import { APPROXIMATIONS, type ImportPlan, type ImportSettings } from './import-plan.ts'
import { ImportRefusal } from './source.ts'

/** What a plan needs to be decided by a flag. */
interface ImportDecision {
  /** The flag as it is typed. */
  readonly flag: string
  readonly means: string
  /** What it is about, such as names of groups. */
  readonly subjects: readonly string[]
  /** A run without it is refused. */
  readonly isOpen: boolean
  /** The sentence of that refusal; absent: it is said for all of its kind together. */
  readonly refusal?: string
}

type Decided = Pick<ImportSettings, 'accepted' | 'negative'>

/** Every decision that the plan needs, whether it was taken or not: a dry run says what a run asks for. */
export function decisionsOf(
  { accounts, approximations }: ImportPlan,
  { accepted, negative }: Decided,
): readonly ImportDecision[] {
  const owing = accounts.filter(({ balance }) => balance < ZERO_NANO_USD).map(({ email }) => email)
  const owe = `${owing.length} ${owing.length === 1 ? 'account owes' : 'accounts owe'}`
  return [
    ...(owing.length === 0
      ? []
      : [
          {
            flag: '--negative keep',
            means: `${owe} something there, and do so here; with --negative zero they begin with 0`,
            subjects: owing,
            isOpen: negative === null,
            refusal: `${owe} something there: add --negative keep, or --negative zero to begin with 0.`,
          },
        ]),
    ...approximations.map(({ name, subjects }) => ({
      flag: `--accept ${name}`,
      means: APPROXIMATIONS[name],
      subjects,
      isOpen: !accepted.has(name),
    })),
  ]
}

/** Throws ImportRefusal where the plan needs a decision that was not given. */
export function requireDecisions(plan: ImportPlan, settings: Decided): void {
  const open = decisionsOf(plan, settings).filter(({ isOpen }) => isOpen)
  const alike = open.filter(({ refusal }) => refusal === undefined).map(({ flag }) => flag)
  if (alike.length > 0) {
    throw new ImportRefusal(
      `Not all of it can be carried exactly: see the report of --dry-run, and add ${alike.join(' ')}.`,
    )
  }
  const [first] = open
  if (first?.refusal !== undefined) throw new ImportRefusal(first.refusal)
}

/** The flags of what is still open, as they are typed. */
export function openFlags(plan: ImportPlan, settings: Decided): readonly string[] {
  return decisionsOf(plan, settings).flatMap(({ flag, isOpen }) => (isOpen ? [flag] : []))
}
