import { useState, type ReactNode } from 'react'
import { useChange } from '../../forms/use-change.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

interface SignInCredential {
  readonly id: string
  readonly name: string
}

/** Credentials of the account, each of which can be removed after a question. */
export function CredentialList<Item extends SignInCredential, Answer>(props: {
  readonly items: readonly Item[]
  readonly texts: {
    remove(name: string): string
    readonly removeTitle: string
    readonly removeAction: string
    removeText(name: string): string
  }
  remove(id: string): Promise<Answer>
  onRemoved(answer: Answer): void
  /** What is said of one. */
  children(item: Item): ReactNode
}): ReactNode {
  const { items, texts } = props
  const guarded = useGuarded()
  const [leaving, setLeaving] = useState<Item | null>(null)
  const remove = useChange({
    send: (id: string) => guarded(() => props.remove(id)),
    onDone: props.onRemoved,
    refreshes: [],
  })
  return (
    <>
      <ul className="divide-y divide-line">
        {items.map((item) => (
          <li key={item.id} className="flex min-h-14 items-center gap-3 py-1.5">
            <div className="min-w-0 flex-1">{props.children(item)}</div>
            <IconButton icon="trash" label={texts.remove(item.name)} onClick={() => setLeaving(item)} />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title={texts.removeTitle}
        action={texts.removeAction}
        isDangerous
        onConfirm={() => {
          if (leaving !== null) remove.mutate(leaving.id)
          setLeaving(null)
        }}
      >
        {leaving !== null && texts.removeText(leaving.name)}
      </ConfirmDialog>
    </>
  )
}
