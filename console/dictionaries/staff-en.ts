export const texts = {
  roles: { user: 'user', auditor: 'auditor', operator: 'operator', finance: 'finance', admin: 'admin' },
  /** `own`: the reader's role. `others`: those that may change something there. */
  readOnly: (own: string, others: readonly string[]) =>
    `You can view this page but not change anything: your role is ${own}. Only the role ${listed(others)} can make changes.`,
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)
}
