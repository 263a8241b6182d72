import type { ReactNode } from 'react'
import { loadedOnce } from '../loaded-once.ts'

let Skeleton: (() => ReactNode) | null = null

const loaded = loadedOnce(async () => {
  const { ShellSkeleton } = await import('./shell.tsx')
  Skeleton = ShellSkeleton
})

/** Starts fetching the shell, while it is asked who is signed in. A failure is seen where the shell is drawn. */
export function startShell(): void {
  loaded().catch(() => {})
}

/** Shows the shell before it is known who is signed in; nothing until its code is here. */
export function PendingShell(): ReactNode {
  return Skeleton === null ? null : <Skeleton />
}
