import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { useRefresh } from '../../../forms/use-refresh.ts'

/** The question before an object is deleted, and why it was not. */
export function DeleteDialog(props: {
  readonly name: string
  readonly texts: {
    readonly action: string
    title(name: string): string
    done(name: string): string
  }
  /** What is lost with it. */
  readonly children: ReactNode
  /** Whether it cannot be deleted as things are, which the children say. */
  readonly isBlocked?: boolean
  send(): Promise<void>
  /** What follows, before anything is read again. */
  onDone?(): Promise<void> | void
  readonly refreshes: readonly string[]
  onClose(): void
}): ReactNode {
  const toast = useToast()
  const refresh = useRefresh()
  const { name, texts, onClose } = props
  const remove = useMutation({
    mutationFn: () => props.send(),
    onSuccess: async () => {
      toast({ text: texts.done(name) })
      await props.onDone?.()
      onClose()
    },
    onSettled: () => refresh(props.refreshes),
  })
  return (
    <ConfirmDialog
      isOpen
      title={texts.title(name)}
      action={texts.action}
      isDangerous
      isBusy={remove.isPending}
      isDisabled={props.isBlocked ?? false}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="grid gap-3">
        {props.children}
        {remove.error !== null && <ErrorState error={remove.error} />}
      </div>
    </ConfirmDialog>
  )
}
