import type { ReactNode } from 'react'
import type { ApiProblem } from '../api/api-problem.ts'
import { Collision } from './collision.tsx'

/** One of several edits that was refused, since its object was changed meanwhile. */
export interface Collided {
  readonly id: string
  readonly name: string
  readonly problem: ApiProblem
}

/** Each of several edits whose object was changed meanwhile, with both versions and the choice between them. */
export function CollisionList(props: {
  readonly collided: readonly Collided[]
  readonly isBusy: boolean
  onMine(collided: Collided): void
  onTheirs(collided: Collided): void
}): ReactNode {
  return (
    <ul className="grid gap-3">
      {props.collided.map((each) => (
        <li key={each.id} aria-label={each.name} className="grid gap-1">
          <p className="font-medium [overflow-wrap:anywhere]">{each.name}</p>
          <Collision
            problem={each.problem}
            isBusy={props.isBusy}
            onMine={() => props.onMine(each)}
            onTheirs={() => props.onTheirs(each)}
          />
        </li>
      ))}
    </ul>
  )
}
