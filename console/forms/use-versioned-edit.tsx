import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useProblemText } from '../dictionaries/problem-text.ts'
import { useSharedTexts } from '../dictionaries/shared.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toasts.tsx'
import { Collision, collisionIn } from './collision.tsx'

/**
 * An edit of one press. Where the object was changed since the page read it, a dialog shows both versions; `dialog` stands
 * beside what is pressed. What else goes wrong is said in a toast.
 */
export function useVersionedEdit<Wish>(options: {
  /** The version that the page shows. */
  readonly version: string
  send(wish: Wish, version: string): Promise<unknown>
  /** After each try, whatever came of it: what the page shows is read again. */
  onSettled(): void
}): {
  press(wish: Wish): void
  readonly isPending: boolean
  /** Whether both versions are shown: a dialog that asked before the press has to give way. */
  readonly hasCollided: boolean
  readonly dialog: ReactNode
} {
  const t = useSharedTexts().collision
  const toast = useToast()
  const problemText = useProblemText()
  const edit = useMutation({
    mutationFn: ({ wish, version }: { readonly wish: Wish; readonly version: string }) => options.send(wish, version),
    onError: (error) => {
      if (collisionIn(error) === null) toast({ text: problemText(error), tone: 'bad' })
    },
    onSettled: options.onSettled,
  })
  const problem = collisionIn(edit.error)
  const { variables } = edit
  return {
    press: (wish) => edit.mutate({ wish, version: options.version }),
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
                edit.mutate({ wish: variables.wish, version: problem.version })
              }
            }}
          />
        )}
      </Dialog>
    ),
  }
}
