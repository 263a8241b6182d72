import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { changeAccount } from '../../../../api/accounts.ts'
import { groupsQuery } from '../../../../api/groups.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { formatMultiplier } from '../../../../format/money.ts'
import { useVersionedEdit } from '../../../../forms/use-versioned-edit.tsx'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Section } from '../../../../ui/section.tsx'
import { useToast } from '../../../../ui/toasts.tsx'

/** The closed groups that are open to an account by name, in addition to those that its subscriptions cover. */
export function OpenGroups({ account }: { readonly account: AccountView }): ReactNode {
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
