import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { setAccountStatus } from '../../../api/accounts.ts'
import { useMay } from '../../../api/use-may.ts'
import { accountsDictionary } from '../../../dictionaries/accounts.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useSharedTexts } from '../../../dictionaries/shared.ts'
import { CollisionList, type Collided } from '../../../forms/collision-list.tsx'
import { collisionIn } from '../../../forms/collision.tsx'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { eachOf } from './each-of.ts'

const CreditMany = lazyPart(() => import('./credit-many.tsx'))

/** So many addresses are said in the question; the others are counted. */
const MOST_NAMES = 8

/** What can be done with several accounts at once, each as by its own page and in the audit by itself. */
export default function BulkAccounts(props: { readonly accounts: readonly AccountView[]; onDone(): void }): ReactNode {
  const texts = accountsDictionary.useTexts()
  const t = texts.bulk
  const shared = useSharedTexts()
  const { accounts } = props
  const mayChange = useMay('admin')
  const mayCredit = useMay('books')
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  const problemText = useProblemText()
  const [asked, setAsked] = useState<'disable' | 'credit' | null>(null)
  const [collided, setCollided] = useState<{
    readonly status: AccountView['status']
    readonly both: readonly Collided[]
  } | null>(null)
  const change = useMutation({
    // The first by itself: credentials that are asked for are asked for once.
    mutationFn: async (status: AccountView['status']) => {
      const set = (account: AccountView) => guarded(() => setAccountStatus(account.id, status, account.version))
      const wanted = accounts.filter((account) => account.status !== status)
      return [...(await eachOf(wanted.slice(0, 1), set)), ...(await eachOf(wanted.slice(1), set))]
    },
    onSuccess: (outcomes, status) => {
      const refused = outcomes.filter(({ error }) => error !== null)
      const both = refused.flatMap(({ item, error }): Collided[] => {
        const problem = collisionIn(error)
        return problem === null ? [] : [{ id: item.id, name: item.email, problem }]
      })
      const failed = refused.filter(({ error }) => collisionIn(error) === null)
      const done = outcomes.length - refused.length
      if (done > 0) toast({ text: t.changed(done) })
      const [first] = failed
      if (first !== undefined) {
        const names = failed.map(({ item }) => item.email).join(', ')
        toast({ text: t.failed(names, problemText(first.error)), tone: 'bad' })
      }
      void queries.invalidateQueries({ queryKey: ['accounts'] })
      setAsked(null)
      if (both.length === 0) props.onDone()
      else setCollided({ status, both })
    },
  })
  // What another admin changed meanwhile is left as it is, or set all the same, account by account.
  const overwrite = useMutation({
    mutationFn: ({ id, problem }: Collided) =>
      guarded(() => setAccountStatus(id, collided?.status ?? 'active', problem.version ?? '')),
    onSuccess: (_, { id }) => decided(id),
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
  })
  const decided = (id: string): void => {
    void queries.invalidateQueries({ queryKey: ['accounts'] })
    const both = collided?.both.filter((each) => each.id !== id) ?? []
    setCollided(both.length === 0 ? null : { status: collided?.status ?? 'active', both })
    if (both.length === 0) props.onDone()
  }
  return (
    <>
      {mayCredit && (
        <Button icon="billing" onClick={() => setAsked('credit')}>
          {texts.credit.action}
        </Button>
      )}
      {mayChange && (
        <>
          <Button icon="play" isBusy={change.isPending && asked === null} onClick={() => change.mutate('active')}>
            {texts.enable}
          </Button>
          <Button icon="pause" onClick={() => setAsked('disable')}>
            {texts.disable}
          </Button>
        </>
      )}
      {asked === 'credit' && <CreditMany emails={accounts.map(({ email }) => email)} onClose={() => setAsked(null)} />}
      <ConfirmDialog
        isOpen={asked === 'disable'}
        title={t.disableTitle(accounts.length)}
        action={texts.disable}
        isDangerous
        isBusy={change.isPending}
        onConfirm={() => change.mutate('disabled')}
        onClose={() => setAsked(null)}
      >
        <ul className="mb-2 font-medium text-ink">
          {accounts.slice(0, MOST_NAMES).map((account) => (
            <li key={account.id} className="[overflow-wrap:anywhere]">
              {account.email}
            </li>
          ))}
          {accounts.length > MOST_NAMES && <li>{t.andMore(accounts.length - MOST_NAMES)}</li>}
        </ul>
        <p>{t.disableText}</p>
      </ConfirmDialog>
      <Dialog isOpen={collided !== null} title={shared.collision.title} onClose={props.onDone}>
        <CollisionList
          collided={collided?.both ?? []}
          isBusy={overwrite.isPending}
          onMine={(each) => overwrite.mutate(each)}
          onTheirs={({ id }) => decided(id)}
        />
      </Dialog>
    </>
  )
}
