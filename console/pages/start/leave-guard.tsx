import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'

/** Asks before the page is left with a secret that was not copied. */
export function LeaveGuard({ isArmed }: { readonly isArmed: boolean }): ReactNode {
  const t = useTexts('start').leave
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isArmed && current.pathname !== next.pathname,
    enableBeforeUnload: () => isArmed,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t.title}
      action={t.action}
      cancel={t.stay}
      isDangerous
      onConfirm={() => blocker.proceed?.()}
    >
      {t.text}
    </ConfirmDialog>
  )
}
