package lang

import "github.com/skillgate/skillgate/synonyms/lang/script"

// Japanese describes the Japanese language, except for its words. Kana identify it; it shares Han with Chinese.
var Japanese = Language{
	Code: "ja", Name: "Japanese", Script: script.Kana, Shared: script.Han, ScriptName: "kana", Spaceless: true,
	VerbLast: true,
	Usage:    japaneseUsage, Says: "%sなどの依頼で使用する。", Not: "%sには使用しない。", NotUse: "%sには使用しない（%sを使用）。",
}

const japaneseUsage = `((とき|時|場合|際|たら|場面)(に|には|は|で)?|(前|後|区切り|節目)(に|には|は|で))[\s、]*(必ず|自動的に|自動で)?(このスキルを` +
	`|スキルを)?(使用|利用|活用|使う|使い|使って|用い|呼び出|実行|起動|発動|適用|ロード|読み込|従う|従い)` +
	`|(依頼|質問|相談|要求|指示)(された|した|する)(とき|時|場合|際|ら)|(必要|したい|欲しい)な?(とき|時|場合|際)` +
	`|(作業|レビュー|タスク)で(使う|使用|利用|活用|用い)|[\p{Han}し]で(使う|使用する|利用する|活用する)(。|$)` +
	`|(日本語)?(トリガー|キーワード|呼び出し語)[^:：\n]{0,12}[:：]|トリガー` +
	`|[」』]\s?(など|等)?(の(依頼|発話|言葉|キーワード))?[でに](使用|起動|発動|呼び出|反応)` +
	`|[」』]\s?でも(使う|使い|使って|起動する|発動|ロード|読み込)` +
	`|では?必ず(使|利用|起動|適用|ロード|読み込|従)|(使用|利用)(場面|シーン|タイミング)`
