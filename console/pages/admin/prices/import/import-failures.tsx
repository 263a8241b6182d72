import type { ReactNode } from 'react'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useProblemText } from '../../../../dictionaries/problem-text.ts'
import { CollisionList, type Collided } from '../../../../forms/collision-list.tsx'
import { collisionIn } from '../../../../forms/collision.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { NotTakenBack } from './take-back.ts'
import type { FailedModel } from './use-import.ts'

/** Lists the models that were left as they are, each with the reason; where one was changed meanwhile, both versions. */
export function ImportFailures(props: {
  readonly failed: readonly FailedModel[]
  readonly isBusy?: boolean
  onMine?(collided: Collided): void
  onTheirs?(collided: Collided): void
}): ReactNode {
  const t = useTexts('priceImport')
  const problemText = useProblemText()
  const { failed, onMine, onTheirs } = props
  const collided = failed.flatMap(({ item, error }): Collided[] => {
    const problem = onMine === undefined ? null : collisionIn(error)
    return problem === null ? [] : [{ ...item, problem }]
  })
  const others = failed.filter(({ item }) => collided.every(({ id }) => id !== item.id))
  return (
    <>
      {others.length > 0 && (
        <Notice tone="bad" isLive>
          {others.map(({ item, error }) => (
            <span key={item.id} className="block">
              {t.failed(item.name, error instanceof NotTakenBack ? t.notTakenBack[error.because] : problemText(error))}
            </span>
          ))}
        </Notice>
      )}
      {collided.length > 0 && onMine !== undefined && onTheirs !== undefined && (
        <CollisionList collided={collided} isBusy={props.isBusy === true} onMine={onMine} onTheirs={onTheirs} />
      )}
    </>
  )
}
