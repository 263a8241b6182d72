import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { type AccountChange, changeAccount } from '../../../api/accounts.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { CollisionList, type Collided } from '../../../forms/collision-list.tsx'
import { collisionIn } from '../../../forms/collision.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { eachOf } from './each-of.ts'

/** What is to become of an account; null: it stays as it is. */
export type ChangeOf = (account: AccountView) => AccountChange | null

/**
 * Changes several accounts, each as by its own page and in the audit by itself. What another admin changed meanwhile is left
 * as it is, or changed all the same, account by account. `onDone`: all are decided.
 */
export function useBulkChange(accounts: readonly AccountView[], onDone: () => void) {
  const t = useTexts('accounts').bulk
  const format = useFormat()
  const shared = useSharedTexts()
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  const problemText = useProblemText()
  const [collided, setCollided] = useState<{ readonly of: ChangeOf; readonly both: readonly Collided[] } | null>(null)
  const send = async (account: AccountView, of: ChangeOf, version: string): Promise<void> => {
    const change = of(account)
    if (change !== null) await guarded(() => changeAccount(account.id, change, version))
  }
  const change = useMutation({
    mutationFn: async (of: ChangeOf) => {
      const wanted = accounts.filter((account) => of(account) !== null)
      const set = (account: AccountView) => send(account, of, account.version)
      // The first by itself: credentials that are asked for are asked for once.
      return [...(await eachOf(wanted.slice(0, 1), set)), ...(await eachOf(wanted.slice(1), set))]
    },
    onSuccess: (outcomes, of) => {
      const refused = outcomes.filter(({ error }) => error !== null)
      const both = refused.flatMap(({ item, error }): Collided[] => {
        const problem = collisionIn(error)
        return problem === null ? [] : [{ id: item.id, name: item.email, problem }]
      })
      const failed = refused.filter(({ error }) => collisionIn(error) === null)
      toast({ text: t.changed(outcomes.length - refused.length) })
      const [first] = failed
      if (first !== undefined) {
        const names = failed.slice(0, MOST_NAMES).map(({ item }) => item.email)
        const more = failed.length - names.length
        const listed = format.list([...names, ...(more > 0 ? [t.andMore(more)] : [])])
        toast({ text: t.failed(listed, problemText(first.error)), tone: 'bad' })
      }
      void queries.invalidateQueries({ queryKey: ['accounts'] })
      if (both.length === 0) onDone()
      else setCollided({ of, both })
    },
  })
  const decided = (id: string): void => {
    void queries.invalidateQueries({ queryKey: ['accounts'] })
    const both = collided?.both.filter((each) => each.id !== id) ?? []
    setCollided(both.length === 0 || collided === null ? null : { of: collided.of, both })
    if (both.length === 0) onDone()
  }
  const overwrite = useMutation({
    mutationFn: async ({ id, problem }: Collided) => {
      const account = accounts.find((each) => each.id === id)
      if (account !== undefined && collided !== null) await send(account, collided.of, problem.version ?? '')
    },
    onSuccess: (_, { id }) => decided(id),
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
  })
  // What another admin changed meanwhile is asked about.
  const dialog = (
    <Dialog isOpen={collided !== null} title={shared.collision.title} onClose={onDone}>
      <CollisionList
        collided={collided?.both ?? []}
        isBusy={overwrite.isPending}
        onMine={(each) => overwrite.mutate(each)}
        onTheirs={({ id }) => decided(id)}
      />
    </Dialog>
  )
  return { isPending: change.isPending, change: change.mutate, dialog }
}

/** So many addresses are named; the others are counted. */
export const MOST_NAMES = 8
