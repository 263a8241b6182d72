/** A step by which tables are brought up to this version, as it begins. */
export interface MigrationStep {
  readonly name: string
  /** The place of the step among those that are left, from 1. */
  readonly number: number
  readonly of: number
}
