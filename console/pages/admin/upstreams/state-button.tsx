import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UpstreamStatusView } from '../../../../src/contract/upstreams.ts'
import { changeCredential } from '../../../api/upstream-admin.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { upstreamsDictionary } from '../../../dictionaries/upstreams.ts'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toasts.tsx'

type Wish = Parameters<typeof changeCredential>[1]

/** What ends the state that a credential is in, or takes it out by hand. null: its state is not known yet. */
export function StateButton(props: {
  readonly upstreamId: string
  readonly name: string
  readonly state: UpstreamStatusView['credentials'][number]['state'] | null
}): ReactNode {
  const t = upstreamsDictionary.useTexts()
  const queries = useQueryClient()
  const toast = useToast()
  const problemText = useProblemText()
  const { upstreamId, name, state } = props
  const change = useMutation({
    mutationFn: (wish: Wish) => changeCredential({ upstreamId, name }, wish),
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['upstreams'] }),
  })
  if (state === null) return null
  const button = (text: string, wish: Wish): ReactNode => (
    <Button isBusy={change.isPending} aria-label={`${text} ${name}`} onClick={() => change.mutate(wish)}>
      {text}
    </Button>
  )
  return (
    <>
      {state === 'held' && button(t.release, { held: false })}
      {state === 'disabled' ? button(t.enable, { disabled: false }) : button(t.disable, { disabled: true })}
    </>
  )
}
