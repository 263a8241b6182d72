import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { GroupView } from '../../../../../src/contract/groups.ts'
import { changeAccount } from '../../../../api/accounts.ts'
import { groupsQuery } from '../../../../api/groups.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { formatMultiplier } from '../../../../format/money.ts'
import { Form } from '../../../../forms/form.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { factorOf } from '../../../../forms/typed-numbers.ts'
import { useSubmission } from '../../../../forms/use-submission.ts'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Section } from '../../../../ui/section.tsx'
import { Select } from '../../../../ui/select.tsx'
import { useToast } from '../../../../ui/toasts.tsx'
import { multiplierObjection } from './multiplier-objection.ts'

/** What an account is charged in single groups, in place of their multipliers: which are set, and setting others. */
export function OwnMultipliers({ account }: { readonly account: AccountView }): ReactNode {
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
  const queries = useQueryClient()
  const toast = useToast()
  // As it was when the form was opened.
  const [account] = useState(props.account)
  const [wish, setWish] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(account.multipliers.map(({ group, multiplier }) => [group, multiplier])),
  )
  const shown = props.groups.filter(({ id }) => wish[id] !== undefined)
  const others = props.groups.filter(({ id }) => wish[id] === undefined)
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['accounts'] })
  const submission = useSubmission({
    fields: shown.map(({ id }) => id),
    check: () =>
      Object.fromEntries(
        shown.flatMap(({ id, multiplier }) => {
          const isStanding = account.multipliers.some((own) => own.group === id && own.multiplier === wish[id])
          const objection = isStanding ? null : multiplierObjection(wish[id] ?? '', multiplier)
          if (objection === null) return []
          return [[id, objection === 'form' ? t.form : t.tooHigh(formatMultiplier(multiplier))] as const]
        }),
      ),
    send: (_key, overwritten) => {
      const set = shown.flatMap(({ id }) => {
        const multiplier = factorOf(wish[id] ?? '')
        return multiplier === null ? [] : [{ group: id, multiplier }]
      })
      return guarded(() => changeAccount(account.id, { multipliers: set }, overwritten ?? account.version))
    },
    onTheirs: refresh,
    onDone: () => {
      refresh()
      toast({ text: t.saved })
    },
  })
  return (
    <Form
      submission={submission}
      foot={
        <div>
          <Button type="submit" isBusy={submission.isSending}>
            {t.save}
          </Button>
        </div>
      }
    >
      {shown.length === 0 && <p className="text-ink-2">{t.none}</p>}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map(({ id, name, multiplier }) => (
          <NumberField
            of="factor"
            key={id}
            name={id}
            label={name}
            hint={t.hint(formatMultiplier(multiplier))}
            value={wish[id] ?? ''}
            onValue={(text) => setWish({ ...wish, [id]: text })}
            error={submission.errorOf(id)}
          />
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
          onValue={(id) => setWish({ ...wish, [id]: '' })}
        />
      )}
    </Form>
  )
}
