import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { beginCapture } from '../../../api/captures.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useToast } from '../../../ui/toasts.tsx'

/** The gateway's own number; the console takes types alone from there. */
const REQUESTS = 20
const MINUTES = 15

/** Asks before a capture begins: what it keeps, for how long, and who sees it. `replaces`: an earlier one, which is deleted. */
export function BeginCapture(props: {
  readonly keyId: string
  readonly name: string
  readonly replaces: boolean
  onClose(): void
}): ReactNode {
  const t = useTexts('captures')
  const toast = useToast()
  const queries = useQueryClient()
  const { keyId, name, replaces, onClose } = props
  const begin = useMutation({
    mutationFn: () => beginCapture(keyId),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys'] })
      toast({ text: t.begun })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      isBusy={begin.isPending}
      onConfirm={() => begin.mutate()}
      title={t.confirm.title(name)}
      action={t.confirm.action}
    >
      <ul className="grid list-disc gap-2 pl-5">
        <li>{t.confirm.what(REQUESTS, MINUTES)}</li>
        <li>{t.confirm.kept}</li>
        <li>{t.confirm.seen}</li>
        {replaces && <li>{t.confirm.replaced}</li>}
      </ul>
      {begin.error !== null && (
        <div className="mt-3">
          <ErrorState error={begin.error} />
        </div>
      )}
    </ConfirmDialog>
  )
}
