import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useProblemText } from '../dictionaries/problem-text.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toasts.tsx'
import { Collision, collisionIn } from './collision.tsx'

/**
 * An edit of one press. Where the object was changed since the page read it, a dialog shows both versions; `dialog` stands
 * beside what is pressed. What else goes wrong is said in a toast.
 */
export function useVersionedEdit<Change>(options: {
  /** The version that the page shows. */
  readonly version: string
  send(change: Change, version: string): Promise<unknown>
  /** Called after each try, whatever came of it: what the page shows is read again. */
  onSettled(): void
}): {
  press(change: Change): void
  readonly isPending: boolean
  /** Whether both versions are shown: a dialog that asked before the press has to give way. */
  readonly hasCollided: boolean
  readonly dialog: ReactNode
} {
  const t = useSharedTexts().collision
  const toast = useToast()
  const problemText = useProblemText()
  const edit = useMutation({
    mutationFn: ({ change, version }: { readonly change: Change; readonly version: string }) =>
      options.send(change, version),
    onError: (error) => {
      if (collisionIn(error) === null) toast({ text: problemText(error), tone: 'bad' })
    },
    onSettled: options.onSettled,
  })
  const problem = collisionIn(edit.error)
  const { variables } = edit
  return {
    press: (change) => edit.mutate({ change, version: options.version }),
    isPending: edit.isPending,
    hasCollided: problem !== null,
    dialog: (
      <Dialog isOpen={problem !== null} size="small" title={t.title} onClose={edit.reset}>
        {problem !== null && (
          <Collision
            problem={problem}
            lead={t.notSaved}
            isBusy={edit.isPending}
            onTheirs={edit.reset}
            onMine={() => {
              if (variables !== undefined && problem.version !== null) {
                edit.mutate({ change: variables.change, version: problem.version })
              }
            }}
          />
        )}
      </Dialog>
    ),
  }
}
