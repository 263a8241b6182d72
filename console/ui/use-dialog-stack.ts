import { useEffect, useId } from 'react'

/** The open dialogs, the topmost last. */
const open: string[] = []

/** How many dialogs, drawers and questions are open. */
export function openDialogs(): number {
  return open.length
}

/**
 * Tells whether a dialog is the topmost. A question that a step brings up, like the one for a password, stands on a dialog
 * that knows nothing of it, and Escape must close the question alone.
 */
export function useDialogStack(isOpen: boolean): () => boolean {
  const id = useId()
  useEffect(() => {
    if (!isOpen) return
    open.push(id)
    return () => {
      // After the key that closed this one has been dealt with.
      setTimeout(() => open.splice(open.indexOf(id), 1))
    }
  }, [id, isOpen])
  return () => open.length === 0 || open.at(-1) === id
}
