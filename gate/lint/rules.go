package lint

import "strings"

// All lists every rule in the order of ids.
var All = []*Rule{
	unreadableFile, noFrontmatter, openFrontmatter, brokenYAML, descriptionTooLong, listingTooLong, noDescription, noName,
	malformedName, nameTooLong, nameNotFolder, byteOrderMark, carriageReturns, duplicateKey, nearMissKey, unknownKey,
	hostOnlyKey, wrongKind, compatibilityTooLong, angleBrackets, reservedWord, yamlReferences, innerDashes, notUTF8,
	binaryFile, fileTooLarge, bodyTooLong, emptyBody, brokenLink, leavesFolder, missingFile, deepReference,
	windowsPath, openFence, nobodyMayRun, hiddenFromModel, uselessIgnore,

	capabilityNotFirst, notThirdPerson, noTriggers, languageMissing, useCaseLate, vagueDescription, overBroad, stuffed,
	nameOnly, bodyElsewhere, ownTriggerExcluded, placeholder, cutOff, triggerTwice, commonTrigger, deadVocabulary, triggersRepeatName, triggersInBody,

	losesTrigger, notInKorean, notInEnglish, collision, missingNeighbour, circle, keepsBoundary, runnerUp,

	nearDuplicate, neverReached, neverUsed, overBudget, shadowed,

	hiddenText, bidirectionalText, hostInstruction, secretInText, exfiltration, destructive, remoteCode, lookAlikeHost,
	rawAddress, encodedPayload, hostMarkup, strayHidden,

	badIntent, intentDiffers, intentNeighbour, intentConflict,
}

// Find returns the rule with that id, nil when there is none.
func Find(id string) *Rule {
	for _, r := range All {
		if strings.EqualFold(r.ID, id) {
			return r
		}
	}
	return nil
}
