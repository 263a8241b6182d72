import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UpstreamStatusView } from '../../../../src/contract/upstreams.ts'
import { changeCredential } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useVersionedEdit } from '../../../forms/use-versioned-edit.tsx'
import { Button } from '../../../ui/button.tsx'

type Wish = Parameters<typeof changeCredential>[1]

/** What ends the state that a credential is in, or takes it out by hand. null: its state is not known yet. */
export function StateButton(props: {
  readonly upstreamId: string
  readonly name: string
  readonly state: UpstreamStatusView['credentials'][number] | null
}): ReactNode {
  const t = useTexts('upstreams')
  const queries = useQueryClient()
  const { upstreamId, name } = props
  const change = useVersionedEdit<Wish>({
    version: props.state?.version ?? '',
    send: (wish, version) => changeCredential({ upstreamId, name }, wish, version),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['upstreams'] }),
  })
  if (props.state === null) return null
  const { state } = props.state
  const button = (text: string, wish: Wish): ReactNode => (
    <Button isBusy={change.isPending} aria-label={`${text} ${name}`} onClick={() => change.press(wish)}>
      {text}
    </Button>
  )
  return (
    <>
      {change.dialog}
      {state === 'held' && button(t.release, { held: false })}
      {state === 'disabled' ? button(t.enable, { disabled: false }) : button(t.disable, { disabled: true })}
    </>
  )
}
