import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { GroupView } from '../../../../../src/contract/groups.ts'
import { accountLimitsQuery, changeAccount } from '../../../../api/accounts.ts'
import { groupsQuery } from '../../../../api/groups.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { formatMultiplier } from '../../../../format/money.ts'
import { Form } from '../../../../forms/form.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { factorOf } from '../../../../forms/typed-numbers.ts'
import { useVersionedEdit } from '../../../../forms/use-versioned-edit.tsx'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { Section, Sheet } from '../../../../ui/section.tsx'
import { Select } from '../../../../ui/select.tsx'
import { SkeletonLines } from '../../../../ui/skeleton.tsx'
import { useToast } from '../../../../ui/toasts.tsx'
import { isLimited, LimitMeters } from '../../../account/limits-section.tsx'
import { useForm } from '../../../../forms/use-form.ts'
import { EditLimits } from './edit-limits.tsx'
import { multiplierProblem } from './multiplier-problem.ts'
import { RaiseLimits } from './raise-limits.tsx'

/** The limits that hold for an account and how they stand, and those that an admin sets on it. */
export default function AccountLimits({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount').limits
  const report = useQuery(accountLimitsQuery(account.id))
  const mayChange = useMay('admin')
  return (
    <QueryView query={report} skeleton={<SkeletonLines count={6} />}>
      {(data) => (
        <Sheet>
          <Section title={t.standing}>
            {isLimited(data) ? <LimitMeters report={data} /> : <p className="text-ink-2">{t.none}</p>}
          </Section>
          {mayChange && !account.managed && !account.closed && (
            <>
              <RaiseLimits account={account} report={data} />
              <EditLimits key={account.version} account={account} report={data} />
            </>
          )}
          <OpenGroups key={`groups ${account.version}`} account={account} />
          <OwnMultipliers key={`multipliers ${account.version}`} account={account} />
        </Sheet>
      )}
    </QueryView>
  )
}

/** What an account is charged in single groups, in place of their multipliers: which are set, and setting others. */
function OwnMultipliers({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount').multipliers
  const { labelled } = useSharedTexts()
  const groups = useQuery(groupsQuery)
  const mayChange = useMay('admin') && !account.managed && !account.closed
  if (groups.data === undefined) return null
  const nameOf = (id: string) => groups.data.data.find((group) => group.id === id)?.name ?? id
  return (
    <Section title={t.title} lead={t.lead}>
      {mayChange ? (
        <MultipliersForm account={account} groups={groups.data.data} />
      ) : account.multipliers.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <ul>
          {account.multipliers.map(({ group, multiplier }) => (
            <li key={group}>{labelled(nameOf(group), formatMultiplier(multiplier))}</li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function MultipliersForm(props: { readonly account: AccountView; readonly groups: readonly GroupView[] }): ReactNode {
  const t = useTexts('oneAccount').multipliers
  const guarded = useGuarded()
  // As it was when the form was opened.
  const [account] = useState(props.account)
  const form = useForm({
    initial: (): Readonly<Record<string, string>> =>
      Object.fromEntries(account.multipliers.map(({ group, multiplier }) => [group, multiplier])),
    check: (values) =>
      Object.fromEntries(
        shownIn(values).flatMap(({ id, multiplier }) => {
          const isStanding = account.multipliers.some((own) => own.group === id && own.multiplier === values[id])
          const problem = isStanding ? null : multiplierProblem(values[id] ?? '', multiplier)
          if (problem === null) return []
          return [[id, problem === 'form' ? t.form : t.tooHigh(formatMultiplier(multiplier))] as const]
        }),
      ),
    send: (values, { version }) => {
      const set = shownIn(values).flatMap(({ id }) => {
        const multiplier = factorOf(values[id] ?? '')
        return multiplier === null ? [] : [{ group: id, multiplier }]
      })
      return guarded(() => changeAccount(account.id, { multipliers: set }, version ?? account.version))
    },
    done: () => t.saved,
    refreshes: ['accounts'],
  })
  const shown = shownIn(form.values)
  const others = props.groups.filter(({ id }) => form.values[id] === undefined)
  return (
    <Form
      submission={form}
      foot={
        <div>
          <Button type="submit" isBusy={form.isSending}>
            {t.save}
          </Button>
        </div>
      }
    >
      {shown.length === 0 && <p className="text-ink-2">{t.none}</p>}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map(({ id, name, multiplier }) => (
          <NumberField of="factor" key={id} {...form.text(id, name)} hint={t.hint(formatMultiplier(multiplier))} />
        ))}
      </div>
      {others.length > 0 && (
        <Select<string>
          aria-label={t.add}
          className="max-w-64"
          value=""
          options={[
            { value: '', label: t.add },
            ...others.map(({ id, name, multiplier }) => ({
              value: id,
              label: `${name} · ${formatMultiplier(multiplier)}`,
            })),
          ]}
          onValue={(id) => form.change({ [id]: '' })}
        />
      )}
    </Form>
  )

  function shownIn(values: Readonly<Record<string, string>>): readonly GroupView[] {
    return props.groups.filter(({ id }) => values[id] !== undefined)
  }
}

/** The closed groups that are open to an account by name, in addition to those that its subscriptions cover. */
function OpenGroups({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount').openGroups
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  const groups = useQuery(groupsQuery)
  const mayChange = useMay('admin') && !account.managed && !account.closed
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(account.open_groups))
  const edit = useVersionedEdit<readonly string[]>({
    version: account.version,
    send: async (names, version) => {
      await guarded(() => changeAccount(account.id, { open_groups: [...names] }, version))
      toast({ text: t.saved })
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['accounts'] }),
  })
  const closed = groups.data?.data.filter(({ id, open }) => !open || chosen.has(id)) ?? []
  if (groups.data === undefined) return null
  return (
    <Section title={t.title} lead={t.lead}>
      {closed.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <div className="grid gap-2">
          <div className="grid sm:grid-cols-2 lg:grid-cols-3">
            {closed.map(({ id, name, multiplier, enabled }) => (
              <Checkbox
                key={id}
                checked={chosen.has(id)}
                disabled={!mayChange}
                hint={[formatMultiplier(multiplier), ...(enabled ? [] : [t.disabled])].join(' · ')}
                onChecked={(isChosen) => {
                  const next = new Set(chosen)
                  if (isChosen) next.add(id)
                  else next.delete(id)
                  setChosen(next)
                }}
              >
                {name}
              </Checkbox>
            ))}
          </div>
          {mayChange && (
            <div>
              <Button
                isBusy={edit.isPending}
                onClick={() => edit.press(closed.filter(({ id }) => chosen.has(id)).map(({ name }) => name))}
              >
                {t.save}
              </Button>
            </div>
          )}
        </div>
      )}
      {edit.dialog}
    </Section>
  )
}
