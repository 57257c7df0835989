import { InputBase, type TagsInputProps } from '@mantine/core';
import { usePlaceholder } from './use-placeholder';

type Props = Pick<TagsInputProps, 'label' | 'placeholder' | 'maxTags' | 'splitChars' | 'onChange'> & {
  value: string[];
};

/** Words to add and remove. Its code is loaded when someone is about to use it, or when there are words to show. */
export function TagsInput(props: Props) {
  const { label, placeholder, value } = props;
  const { overlays, field, typed, placeholderProps } = usePlaceholder({
    loadsEarly: value.length > 0,
    takesText: true,
  });
  if (overlays) return <overlays.TagsInput {...props} ref={field} />;
  return (
    <InputBase {...{ label, placeholder }} value={typed ?? ''} {...placeholderProps} __staticSelector="TagsInput" />
  );
}
