import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { classNames } from './class-names.ts'

/** The room of something that is on its way: give it the size of what will come, so that nothing moves then. */
export function Skeleton({ className }: { readonly className: string }): ReactNode {
  return <div aria-hidden="true" className={classNames('skeleton', className)} />
}

/** Several lines on their way. */
export function SkeletonLines({ count = 3 }: { readonly count?: number }): ReactNode {
  return (
    <div className="grid gap-2.5" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={classNames('h-4', index % 3 === 2 ? 'w-2/3' : 'w-full')} />
      ))}
    </div>
  )
}

/** A whole page on its way, for the first moment after a change of page. */
export function PageSkeleton(): ReactNode {
  const t = useSharedTexts()
  return (
    <div aria-busy="true">
      <span className="sr-only">{t.loading}</span>
      <Skeleton className="h-7 w-40" />
      <Skeleton className="mt-3 h-4 w-full max-w-md" />
      <Skeleton className="mt-8 h-64 w-full rounded-lg" />
    </div>
  )
}
