/** The label of a user in texts: the e-mail address, or the name if there is none. */
export function labelOf({ email, name }: { readonly email: string | null; readonly name: string }): string {
  return email ?? name;
}
