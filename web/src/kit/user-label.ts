/** The label of a user: the e-mail address, or the name if there is none, as for service accounts of a project. */
export function userLabel({ email, name }: { readonly email: string | null; readonly name: string }): string {
  return email ?? name;
}
